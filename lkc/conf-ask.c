// SPDX-License-Identifier: GPL-2.0-only
/*
 * conf-ask - modes that ask on stdin, and those that list what they would ask
 *
 * Menu entries are walked in loops, not by recursion: what depends on the
 * entry before it is a level deeper, and a tree may have thousands of levels.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf.h"

struct ask {
	struct kconf *k;
	lkc_menu root;		/* the menu whose content is asked for */
	bool all;		/* also for what is not new, in all menus */
	int indent;
	unsigned int asked;	/* menus gone through in this round */
	void (*list)(struct kconf *k, lkc_menu m);	/* instead of asking */
	bool is_tty;
	bool people_only;
	bool eof;
	char line[4096];
};

/* ---- what is shown ------------------------------------------------------ */

/* An entry that is shown for what is below it is old, before 6.12. */
static void mark_parents(struct kconf *k, lkc_menu from, lkc_menu to)
{
	while (from != to && !k->modern) {
		lkc_sym sym;

		from = lkc_menu_parent(k->tree, from);
		sym = lkc_menu_sym(k->tree, from);
		if (sym != LKC_NONE)
			lkc_value_make_old(k->config, sym);
	}
}

/* True if @m itself is shown; *@below: if not, what is below it may be. */
static bool shown_itself(struct kconf *k, lkc_menu m, bool *below)
{
	lkc_sym sym = lkc_menu_sym(k->tree, m);

	*below = false;
	if (m == lkc_menu_root(k->tree))
		return true;
	/* what has no type is not computed, so it never becomes visible */
	if (!lkc_menu_prompt(k->tree, m) ||
	    (sym != LKC_NONE && lkc_sym_type(k->tree, sym) == LKC_UNKNOWN))
		return false;
	if (sym == LKC_NONE) {
		lkc_warner_menu(k->warner, m, k->diags);
		conf_show_diags(k);
	} else {
		conf_calc(k, sym);
		*below = lkc_value_tri(k->config, sym) != LKC_NO;
	}
	return lkc_menu_visible(k->config, m);
}

static bool shown(struct kconf *k, lkc_menu m)
{
	lkc_menu at = m, next;
	bool below;

	for (;;) {
		if (shown_itself(k, at, &below)) {
			mark_parents(k, at, m);
			return true;
		}
		next = below ? lkc_menu_child(k->tree, at) : LKC_NONE;
		while (next == LKC_NONE) {
			if (at == m)
				return false;
			next = lkc_menu_next(k->tree, at);
			at = lkc_menu_parent(k->tree, at);
		}
		at = next;
	}
}

/* The innermost menu that @m is in or is itself; menuconfigs are menus. */
static lkc_menu menu_of(const struct kconf *k, lkc_menu m)
{
	while (m != lkc_menu_root(k->tree)) {
		enum lkc_entry_kind kind = lkc_menu_kind(k->tree, m);

		if (lkc_menu_prompt(k->tree, m) &&
		    (kind == LKC_ENTRY_MENU || kind == LKC_ENTRY_MENUCONFIG))
			break;
		m = lkc_menu_parent(k->tree, m);
	}
	return m;
}

static bool changeable(const struct kconf *k, lkc_sym sym)
{
	return lkc_visibility(k->config, sym) > lkc_selected(k->config, sym);
}

/* ---- questions ---------------------------------------------------------- */

static void strip(char *s)
{
	char *from = s + strspn(s, " \t\n\v\f\r");
	size_t len = strlen(from);

	while (len && isspace((unsigned char)from[len - 1]))
		len--;
	memmove(s, from, len);
	s[len] = '\0';
}

/* silentoldconfig of 4.11 asks people only, and writes nothing without. */
static void refuse_to_ask(void)
{
	printf("aborted!\n\n");
	printf("Console input/output is redirected. Run 'make oldconfig' to update configuration.\n\n");
	exit(1);
}

static void read_line(struct ask *a)
{
	if (a->people_only && !a->is_tty)
		refuse_to_ask();
	fflush(stdout);
	if (!fgets(a->line, sizeof(a->line), stdin)) {
		fprintf(stderr, "\nError in reading or end of file.\n");
		a->eof = true;
	}
	if (!a->is_tty)
		printf("%s", a->line);
}

/* False: there is nothing to answer, and the value is printed instead. */
static bool read_answer(struct ask *a, lkc_sym sym)
{
	struct kconf *k = a->k;
	bool is_new = lkc_value_new(k->config, sym);

	if (is_new)
		printf("(NEW) ");
	strcpy(a->line, "\n");
	if (!changeable(k, sym) || (!a->all && !is_new)) {
		printf("%s\n", lkc_value(k->config, sym));
		return false;
	}
	read_line(a);
	return true;
}

/*
 * True if the answer was taken. If it was not, and no other can come, nothing
 * is written.
 */
static bool taken(struct ask *a, lkc_sym sym, int result)
{
	if (result > 0)
		conf_calc_again(a->k);
	if (result < 0 && a->eof) {
		const char *name = lkc_sym_name(a->k->tree, sym);

		fprintf(stderr, "\nerror: no value for new symbol '%s' at end of input\n",
			name ? name : "<choice>");
		exit(1);
	}
	return result >= 0;
}

static void print_question(struct ask *a, lkc_menu m, lkc_sym sym)
{
	const char *name = lkc_sym_name(a->k->tree, sym);

	printf("%*s%s ", a->indent - 1, "", lkc_menu_prompt(a->k->tree, m));
	if (name)
		printf("(%s) ", name);
}

static void ask_text(struct ask *a, lkc_menu m, lkc_sym sym)
{
	struct kconf *k = a->k;
	const char *answer;

	for (;;) {
		print_question(a, m, sym);
		printf("[%s] ", lkc_value(k->config, sym));
		if (!read_answer(a, sym))
			return;
		answer = a->line;
		if (*a->line == '?') {
			conf_print_help(k, m);
			continue;
		}
		if (*a->line == '\n')
			answer = lkc_value(k->config, sym);
		else
			a->line[strlen(a->line) - 1] = '\0';
		if (taken(a, sym, lkc_config_answer_text(k->config, sym,
							 answer)))
			return;
	}
}

/* The answers that a tristate symbol can be given, the present one first. */
static void print_answers(struct ask *a, lkc_sym sym)
{
	enum lkc_tri now = lkc_value_tri(a->k->config, sym), v;

	printf("[%c", "NMY"[now]);
	for (v = LKC_NO; v <= LKC_YES; v++) {
		if (v != now && lkc_value_possible(a->k->config, sym, v))
			printf("/%c", "nmy"[v]);
	}
	printf("/?] ");
}

/* What @line means: 0 to 2, -1 for help, -2 for nothing. */
static int parse_answer(const char *line, enum lkc_tri now)
{
	switch (*line) {
	case '\0':
		return now;
	case '?':
		return -1;
	case 'n':
	case 'N':
		return !line[1] || strcmp(line + 1, "o") == 0 ? LKC_NO : -2;
	case 'm':
	case 'M':
		return !line[1] ? LKC_MOD : -2;
	case 'y':
	case 'Y':
		return !line[1] || strcmp(line + 1, "es") == 0 ? LKC_YES : -2;
	default:
		return -2;
	}
}

static void ask_tri(struct ask *a, lkc_menu m, lkc_sym sym)
{
	struct kconf *k = a->k;
	int answer;

	for (;;) {
		print_question(a, m, sym);
		print_answers(a, sym);
		if (!read_answer(a, sym))
			return;
		strip(a->line);
		answer = parse_answer(a->line, lkc_value_tri(k->config, sym));
		if (answer == -2)
			continue;
		if (answer >= 0 &&
		    taken(a, sym, lkc_config_answer_tri(k->config, sym,
							answer)))
			return;
		conf_print_help(k, m);
	}
}

/* ---- choices ------------------------------------------------------------ */

static void ask_below(struct ask *a, lkc_menu m);

/* Lists what can be chosen; returns the number of it, and the chosen one's. */
static int print_members(struct ask *a, lkc_menu choice, int *chosen,
			 bool *is_new)
{
	struct kconf *k = a->k;
	lkc_sym winner = lkc_choice_winner(k->config,
					   lkc_menu_sym(k->tree, choice));
	lkc_menu m;
	int n = 0;

	*chosen = 0;
	*is_new = false;
	for (m = lkc_menu_child(k->tree, choice); m != LKC_NONE;
	     m = lkc_menu_next(k->tree, m)) {
		lkc_sym sym = lkc_menu_sym(k->tree, m);

		if (!shown(k, m))
			continue;
		if (sym == LKC_NONE) {
			printf("%*c %s\n", a->indent, '*',
			       lkc_menu_prompt(k->tree, m));
			continue;
		}
		n++;
		if (sym == winner)
			*chosen = n;
		printf("%*c %d. %s (%s)", a->indent,
		       sym == winner ? '>' : ' ', n,
		       lkc_menu_prompt(k->tree, m),
		       lkc_sym_name(k->tree, sym));
		if (lkc_value_new(k->config, sym)) {
			*is_new = true;
			printf(" (NEW)");
		}
		putchar('\n');
	}
	return n;
}

static lkc_menu nth_member(struct ask *a, lkc_menu choice, int n)
{
	struct kconf *k = a->k;
	lkc_menu m;

	for (m = lkc_menu_child(k->tree, choice); m != LKC_NONE;
	     m = lkc_menu_next(k->tree, m)) {
		if (lkc_menu_sym(k->tree, m) != LKC_NONE && shown(k, m) &&
		    --n == 0)
			break;
	}
	return m;
}

enum { NO_MEMBER = 0, MEMBER_HELP = -1, NOT_ASKED = -2 };

/* Which member the user wants, by its number, or one of the above. */
static int read_member(struct ask *a, lkc_menu choice)
{
	int n, chosen;
	bool is_new;

	printf("%*s%s\n", a->indent - 1, "",
	       lkc_menu_prompt(a->k->tree, choice));
	n = print_members(a, choice, &chosen, &is_new);
	*a->line = '\0';
	printf("%*schoice", a->indent - 1, "");
	if (n == 1) {
		printf("[1]: 1\n");
		return 1;
	}
	printf("[1-%d?]: ", n);
	if (!a->all && !is_new) {
		printf("%d\n", chosen);
		return chosen ? chosen : NOT_ASKED;
	}
	read_line(a);
	strip(a->line);
	if (*a->line == '?')
		return MEMBER_HELP;
	if (!*a->line)
		return chosen;
	if (!isdigit((unsigned char)*a->line))
		return NO_MEMBER;
	return atoi(a->line);
}

static void ask_members(struct ask *a, lkc_menu choice)
{
	struct kconf *k = a->k;
	lkc_menu m;
	int n;

	for (;;) {
		n = read_member(a, choice);
		if (n == NOT_ASKED)
			return;
		if (n == MEMBER_HELP)
			conf_print_help(k, choice);
		m = n > 0 ? nth_member(a, choice, n) : LKC_NONE;
		if (m == LKC_NONE) {
			taken(a, lkc_menu_sym(k->tree, choice), LKC_EREJECTED);
			continue;
		}
		if (*a->line && a->line[strlen(a->line) - 1] == '?') {
			conf_print_help(k, m);
			continue;
		}
		taken(a, lkc_menu_sym(k->tree, m),
		      lkc_config_answer_tri(k->config,
					    lkc_menu_sym(k->tree, m),
					    LKC_YES));
		a->indent += 2;
		ask_below(a, m);
		a->indent -= 2;
		return;
	}
}

/* True if the members are to be asked for one by one. */
static bool ask_choice(struct ask *a, lkc_menu m, lkc_sym sym)
{
	struct kconf *k = a->k;
	bool asked = !k->modern && changeable(k, sym);

	if (asked)
		ask_tri(a, m, sym);
	conf_calc(k, sym);
	switch (k->modern ? LKC_YES : lkc_value_tri(k->config, sym)) {
	case LKC_YES:
		ask_members(a, m);
		return false;
	case LKC_MOD:
		if (!asked)
			printf("%*s%s\n", a->indent - 1, "",
			       lkc_menu_prompt(k->tree, m));
		return true;
	default:
		return false;
	}
}

/* ---- entries ------------------------------------------------------------ */

static void find_new(struct ask *a, lkc_menu m);

static void print_heading(struct ask *a, lkc_menu m)
{
	printf("%*c\n%*c %s\n%*c\n", a->indent, '*', a->indent, '*',
	       lkc_menu_prompt(a->k->tree, m), a->indent, '*');
}

/* True if what is below @m is to be asked for. */
static bool ask_entry(struct ask *a, lkc_menu m)
{
	struct kconf *k = a->k;
	lkc_sym sym = lkc_menu_sym(k->tree, m);

	if (!shown(k, m))
		return false;
	switch (lkc_menu_kind(k->tree, m)) {
	case LKC_ENTRY_MENU:
	case LKC_ENTRY_MENUCONFIG:
		if (!a->all && a->root != m) {
			find_new(a, m);
			return false;
		}
		/* fallthrough */
	case LKC_ENTRY_COMMENT:
		print_heading(a, m);
		break;
	default:
		break;
	}
	if (sym == LKC_NONE)
		return true;
	conf_calc(k, sym);
	if (lkc_sym_is_choice(k->tree, sym))
		return ask_choice(a, m, sym);
	switch (lkc_sym_type(k->tree, sym)) {
	case LKC_INT:
	case LKC_HEX:
	case LKC_STRING:
		ask_text(a, m, sym);
		break;
	default:
		ask_tri(a, m, sym);
		break;
	}
	return true;
}

static int indent_of(const struct kconf *k, lkc_menu m)
{
	return lkc_menu_sym(k->tree, m) == LKC_NONE ? 0 : 2;
}

/* Asks for @m and, with @whole, all below it; else for what is below only. */
static void ask(struct ask *a, lkc_menu m, bool whole)
{
	const struct lkc_tree *t = a->k->tree;
	lkc_menu at = m, next = LKC_NONE;

	if (!whole || ask_entry(a, m))
		next = lkc_menu_child(t, m);
	if (next != LKC_NONE && whole)
		a->indent += indent_of(a->k, m);
	else if (next == LKC_NONE)
		return;
	for (at = next;;) {
		next = ask_entry(a, at) ? lkc_menu_child(t, at) : LKC_NONE;
		if (next != LKC_NONE)
			a->indent += indent_of(a->k, at);
		while (next == LKC_NONE) {
			next = lkc_menu_next(t, at);
			if (next != LKC_NONE)
				break;
			at = lkc_menu_parent(t, at);
			if (at == m)
				break;
			a->indent -= indent_of(a->k, at);
		}
		if (next == LKC_NONE)
			break;
		at = next;
	}
	if (whole)
		a->indent -= indent_of(a->k, m);
}

static void ask_menu(struct ask *a, lkc_menu m)
{
	ask(a, m, true);
}

static void ask_below(struct ask *a, lkc_menu m)
{
	ask(a, m, false);
}

/* ---- what is new -------------------------------------------------------- */

static bool is_question(struct kconf *k, lkc_menu m)
{
	lkc_sym sym = lkc_menu_sym(k->tree, m);

	if (sym == LKC_NONE || !lkc_value_new(k->config, sym))
		return false;
	if (!lkc_sym_is_choice(k->tree, sym))
		return changeable(k, sym);
	return !k->modern && (changeable(k, sym) ||
			      lkc_value_tri(k->config, sym) == LKC_YES);
}

static void found_new(struct ask *a, lkc_menu m)
{
	if (a->list) {
		a->list(a->k, m);
		return;
	}
	if (!a->asked++)
		printf("*\n* Restart config...\n*\n");
	a->root = menu_of(a->k, m);
	ask_menu(a, a->root);
}

/* Goes through the menu at each new symbol at or below @m. */
static void find_new(struct ask *a, lkc_menu m)
{
	const struct lkc_tree *t = a->k->tree;
	lkc_menu at = m, next;

	for (;;) {
		next = LKC_NONE;
		if (shown(a->k, at)) {
			if (is_question(a->k, at))
				found_new(a, at);
			next = lkc_menu_child(t, at);
		}
		while (next == LKC_NONE) {
			if (at == m)
				return;
			next = lkc_menu_next(t, at);
			at = lkc_menu_parent(t, at);
		}
		at = next;
	}
}

/* An answer may make more symbols visible: until nothing new is found. */
static void ask_new(struct ask *a)
{
	do {
		a->asked = 0;
		find_new(a, lkc_menu_root(a->k->tree));
	} while (a->asked);
}

static struct ask ask_init(struct kconf *k)
{
	return (struct ask) {
		.k = k, .indent = 1, .is_tty = isatty(0) && isatty(1),
	};
}

/* ---- modes -------------------------------------------------------------- */

static void print_new(struct kconf *k, lkc_menu m)
{
	lkc_sym sym = lkc_menu_sym(k->tree, m);
	const char *name = lkc_sym_name(k->tree, sym);
	const char *s = lkc_value(k->config, sym);

	if (!name)
		return;
	printf("%s%s", conf_env("CONFIG_", "CONFIG_"), name);
	if (k->ancient) {
		putchar('\n');
		return;
	}
	putchar('=');
	if (lkc_sym_type(k->tree, sym) != LKC_STRING) {
		printf("%s\n", s);
		return;
	}
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	printf("\"\n");
}

static void print_new_help(struct kconf *k, lkc_menu m)
{
	printf("-----\n");
	conf_print_help(k, m);
	printf("-----\n");
}

static int list(struct kconf *k, void (*print)(struct kconf *k, lkc_menu m))
{
	struct ask a = ask_init(k);

	if (conf_read(k))
		return 1;
	a.list = print;
	find_new(&a, lkc_menu_root(k->tree));
	return 0;
}

int conf_run_listnewconfig(struct kconf *k)
{
	return list(k, print_new);
}

int conf_run_helpnewconfig(struct kconf *k)
{
	return list(k, print_new_help);
}

int conf_run_oldconfig(struct kconf *k)
{
	struct ask a = ask_init(k);

	if (conf_read(k))
		return 1;
	ask_new(&a);
	return conf_write(k);
}

int conf_run_oldaskconfig(struct kconf *k)
{
	struct ask a = ask_init(k);

	if (conf_read(k))
		return 1;
	a.all = true;
	a.root = lkc_menu_root(k->tree);
	ask_menu(&a, a.root);
	a.all = false;
	ask_new(&a);
	return conf_write(k);
}

/* silentoldconfig of 4.11 brings up to date what is there, or nothing. */
static bool is_missing(const struct kconf *k)
{
	const char *name = conf_env("KCONFIG_CONFIG", ".config");

	if (!k->ancient || access(name, F_OK) == 0)
		return false;
	fprintf(stderr, "***\n"
		"*** Configuration file \"%s\" not found!\n"
		"***\n"
		"*** Please run some configurator (e.g. \"make oldconfig\" or\n"
		"*** \"make menuconfig\" or \"make xconfig\").\n"
		"***\n", name);
	return true;
}

int conf_run_syncconfig(struct kconf *k)
{
	bool no_update = *conf_env("KCONFIG_NOSILENTUPDATE", "");
	struct ask a = ask_init(k);

	a.people_only = k->ancient;
	k->silent = true;
	if (is_missing(k) || conf_read(k))
		return 1;
	if (no_update && k->changed) {
		fprintf(stderr, "\n*** The configuration requires explicit update.\n\n");
		return 1;
	}
	ask_new(&a);
	if (!no_update && conf_write_config(k))
		return 1;
	return conf_write_auto(k);
}
