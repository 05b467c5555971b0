// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expansions, most of them as seen in the kernel's conf. Each text is a
 * ./Kconfig whose $(info) lines are looked at.
 */
#include <pthread.h>
#include <signal.h>

#include "parse.h"

static const char *const env[] = {
	"X=envx", "EMPTY=", "LIST=a,b", "PATH=/usr/bin:/bin", NULL,
};

static void load(struct parsed *p, const char *kconfig)
{
	struct lkc_load_options opt = { .dialect = "6.12", .env = env };

	parse_write("Kconfig", kconfig);
	parse_load(p, &opt);
}

/* @kconfig prints @out, and nothing is wrong with it. */
static void prints(const char *kconfig, const char *out)
{
	struct parsed p;

	load(&p, kconfig);
	assert_string_equal(p.errors, "");
	assert_string_equal(p.out, out);
	assert_int_equal(p.err, 0);
	parse_done(&p);
}

/* @kconfig ends with @error; what follows is not read. */
static void fails(const char *kconfig, const char *error)
{
	struct parsed p;
	char text[4096];

	snprintf(text, sizeof(text), "%sfoo\n$(info,not reached)\n", kconfig);
	load(&p, text);
	assert_string_equal(p.errors, error);
	assert_string_equal(p.out, "");
	assert_int_equal(p.err, LKC_EPARSE);
	parse_done(&p);
}

static void variables(void **state)
{
	(void)state;
	prints("A = foo\n$(info,[$(A)] [$(nope)])\n", "[foo] []\n");
	/* the rest of the line, whatever it holds */
	prints("A = x # no 'comment\"  \n$(info,[$(A)])\n",
	       "[x # no 'comment\"  ]\n");
	prints("A := foo\\\n$(info,[$(A)])\n", "[foo\\]\n");
	prints("A=\nB = \n  C\t:=\t5\n$(info,[$(A)|$(B)|$(C)])\n",
	       "[||5]\n");
	/* names are put together, too */
	prints("A$(X)-B = 1\n$(nope)C = 2\n$(info,$(Aenvx-B)$(C))\n", "12\n");
	prints("A = x\n\\\nB \\\n= y\n$(info,$(A)$(B))\n", "xy\n");
}

static void flavors(void **state)
{
	(void)state;
	prints("A = $(V)\nB := $(V)\nV = late\n$(info,$(A)|$(B))\n",
	       "late|\n");
	prints("A = x\nA += $(V)\nB := x\nB += $(V)\nC += $(V)\nV = v\n"
	       "$(info,$(A)|$(B)|$(C))\n", "x v|x |v\n");
	prints("E =\nE += x\n$(info,[$(E)])\n", "[ x]\n");
	/* a new value does not see the old one; an addition does */
	prints("A = 5\nA := $(A)6\n$(info,$(A))\nA += $(A)\n$(info,$(A))\n",
	       "6\n6 6\n");
	prints("A==1\nB=:=2\nC+=+=3\n$(info,$(A)$(B)$(C))\n", "=1:=2+=3\n");
}

static void arguments(void **state)
{
	(void)state;
	prints("F = [$(0)|$(1)|$(2)|$(10)]\n$(info,$(F))\n$(info,$(F,x))\n"
	       "$(info,$(F, x , y ))\n$(info,$(F,,))\n$(info,$(F,(a,b),c))\n",
	       "[|||]\n[|x||]\n[| x | y |]\n[|||]\n[|(a,b)|c|]\n");
	/* those of the innermost call, and nothing beyond */
	prints("F = $(1)$(G)$(G,$(2))\nG = <$(1)>\n$(info,$(F,p,q))\n",
	       "p<><q>\n");
	/* what an expansion yields is not split */
	prints("F = [$(1)|$(2)]\n$(info,$(F,$(LIST)))\n", "[a,b|]\n");
	prints("N = F,x\nF = y\n$(info,[$($(N))])\n", "[]\n");
	prints("F = $(1)\nN = F\n$(info,$($(N),5) $($(X)))\n", "5 \n");
	/* numbers are names like any other where there is no such argument */
	prints("F = [$(01)|$(2)|$(1x)]\n2 = two\n$(info,$(F,x) $(2))\n",
	       "[x|two|] two\n");
	prints("F = $(15)\n$(info,$(F,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15))\n",
	       "15\n");
	fails("F = x\n$(info,$(F,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16))\n",
	      "Kconfig:2: too many function arguments\n");
}

static void functions(void **state)
{
	struct parsed p;

	(void)state;
	prints("\n$(info,$(filename):$(lineno))\n", "Kconfig:2\n");
	/* conf is one line further when it expands an assignment */
	prints("A := $(lineno)\nB = $(lineno)\n\n$(info,$(A) $(B))\n",
	       "2 4\n");
	prints("lineno = mine\n$(info,$(lineno))\n", "mine\n");
	fails("$(info)\n", "Kconfig:1: too few function arguments passed to 'info'\n");
	fails("$(info,a,b)\n",
	      "Kconfig:1: too many function arguments passed to 'info'\n");
	fails("$(lineno,)\n",
	      "Kconfig:1: too many function arguments passed to 'lineno'\n");
	fails("\n$(error-if,y,no good)\n", "Kconfig:2: no good\n");
	load(&p, "$(warning-if,y,a b)\n$(warning-if,n,c)\n"
	     "$(warning-if, y,d)\n$(error-if,m,e)\n");
	assert_string_equal(p.errors, "Kconfig:1: a b\n");
	assert_int_equal(p.err, 0);
	parse_done(&p);
}

static void dollars(void **state)
{
	(void)state;
	prints("$(info,a$ $b $$ $$(X) ${X})\n", "a$ $b $$ $envx ${X}\n");
	fails("$(info,foo\n",
	      "Kconfig:1: unterminated reference to 'info,foo': missing ')'\n");
	fails("$(info,a \\\n)\n",
	      "Kconfig:1: unterminated reference to 'info,a \\': missing ')'\n");
}

static void recursion(void **state)
{
	char deep[3 * 4000 + 64] = "$(info,";
	int i;

	(void)state;
	fails("A = $(B)\nB = $(A)\n$(info,$(A))\n",
	      "Kconfig:3: Recursive variable 'A' references itself (eventually)\n");
	/* with arguments it may, to a depth */
	fails("F = $(F,$(1)x)\n$(F,y)\n",
	      "Kconfig:2: Too deep recursive expansion\n");
	for (i = 0; i < 4000; i++)
		strcat(deep, "$(");
	for (i = 0; i < 4000; i++)
		strcat(deep, ")");
	strcat(deep, ")\n");
	parse_expect("6.12", deep, "Kconfig:1: Too deep recursive expansion\n");
}

/* Twice as much at each step: ends with a diagnostic, and soon. */
static void explosion(void **state)
{
	char text[4096] = "A0 = xxxxxxxx\n";
	int i;

	(void)state;
	for (i = 0; i < 40; i++)
		sprintf(text + strlen(text), "A%d = $(A%d)$(A%d)\n", i + 1, i,
			i);
	strcat(text, "$(info,$(A40))\n");
	parse_expect("6.12", text,
		     "Kconfig:42: Too deep recursive expansion\n");
}

static void environment(void **state)
{
	struct lkc_load_options opt = { .dialect = "6.12", .env = env };
	struct parsed p;

	(void)state;
	setenv("LKC_TEST_VARIABLE", "not seen", 1);
	prints("$(info,$(X)|$(EMPTY)|$(LKC_TEST_VARIABLE)|$(X,y))\n",
	       "envx|||\n");
	prints("X = mine\n$(info,$(X) $(shell,echo $X))\n", "mine envx\n");
	opt.env = NULL;
	parse_write("Kconfig", "$(info,$(X)|$(shell,echo $X))\n");
	parse_load(&p, &opt);
	assert_string_equal(p.out, "|\n");
	parse_done(&p);
}

static void shell(void **state)
{
	struct parsed p;

	(void)state;
	prints("$(info,[$(shell,printf 'a\\nb\\n\\nc\\n\\n')])\n",
	       "[a b  c]\n");
	prints("$(info,[$(shell,echo)$(shell,false)$(shell,kill -9 $$)])\n",
	       "[]\n");
	prints("$(info,[$(shell,printf 'a\\000b')])\n", "[a]\n");
	/* no more than 4095 bytes, and the command ends even so */
	prints("A := $(shell,yes)\n$(info,$(shell,echo '$(A)' | wc -c))\n",
	       "4096\n");
	prints("$(info,$(shell,exec 2>&- >&-; echo x)|)\n", "|\n");
	load(&p, "config A\n\tdef_bool $(shell,echo y)\n");
	assert_int_equal(p.err, 0);
	parse_done(&p);
}

static void no_shell(void **state)
{
	struct lkc_load_options opt = {
		.dialect = "6.12", .env = env, .no_shell = true,
	};
	struct parsed p;

	(void)state;
	parse_write("Kconfig", "$(info,[$(shell,touch made; echo y)])\n");
	parse_load(&p, &opt);
	assert_string_equal(p.out, "[]\n");
	assert_string_equal(p.errors,
			    "Kconfig:1:warning: command not run: touch made; echo y\n");
	assert_int_equal(p.err, 0);
	assert_int_not_equal(access("made", F_OK), 0);
	parse_done(&p);
}

/* What a command says is part of what the tree is. */
static void hash(void **state)
{
	uint64_t hashes[3];
	struct parsed p;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		parse_write("answer", i < 2 ? "y" : "n");
		load(&p, "config A\n\tdef_bool $(shell,cat answer)\n");
		hashes[i] = lkc_tree_hash(p.tree);
		parse_done(&p);
	}
	assert_true(hashes[0] == hashes[1]);
	assert_true(hashes[0] != hashes[2]);
}

static void *load_often(void *arg)
{
	struct lkc_load_options opt = { .dialect = "6.12", .env = env };
	int i, *bad = arg;

	for (i = 0; i < 20; i++) {
		struct lkc_diags *diags = lkc_diags_new();
		struct lkc_tree *tree = NULL;

		if (lkc_tree_load("Kconfig", &opt, &tree, diags) ||
		    strcmp(lkc_diags_get(diags, 0)->text, "a b") != 0)
			++*bad;
		lkc_tree_free(tree);
		lkc_diags_free(diags);
	}
	return NULL;
}

static void threads(void **state)
{
	pthread_t thread[4];
	int bad[4] = { 0 }, i;

	(void)state;
	/* the commands hang if one inherits the other's pipe */
	parse_write("Kconfig", "$(info,$(shell,echo a; echo b | cat))\n");
	for (i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, load_often,
						&bad[i]), 0);
	for (i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		assert_int_equal(bad[i], 0);
	}
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* A signal handled while a command runs changes nothing. */
static void interrupted(void **state)
{
	struct sigaction action = { .sa_handler = on_alarm }, before;

	(void)state;
	sigaction(SIGALRM, &action, &before);
	ualarm(20000, 20000);
	prints("$(info,[$(shell,sleep 0.2; echo x; sleep 0.2; echo y)])\n",
	       "[x y]\n");
	ualarm(0, 0);
	sigaction(SIGALRM, &before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables),
		cmocka_unit_test(flavors),
		cmocka_unit_test(arguments),
		cmocka_unit_test(functions),
		cmocka_unit_test(dollars),
		cmocka_unit_test(recursion),
		cmocka_unit_test(explosion),
		cmocka_unit_test(environment),
		cmocka_unit_test(shell),
		cmocka_unit_test(no_shell),
		cmocka_unit_test(hash),
		cmocka_unit_test(threads),
		cmocka_unit_test(interrupted),
	};

	return cmocka_run_group_tests(tests, parse_setup, parse_teardown);
}
