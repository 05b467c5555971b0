// SPDX-License-Identifier: GPL-2.0-only
/*
 * kenv-driver - what kenv finds, for the tests
 *
 * usage: kenv-driver [-C DIR] [-O DIR] [-a ARCH] [-n] [NAME=value...] [CONFIG]
 *
 * Prints the fields and the environment. With CONFIG, has the tree's conf make
 * a configuration of it, and prints that and conf's messages instead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "kenv.h"

static void show(const struct kenv *env)
{
	char **entry;

	printf("srctree %s\nobjtree %s\nkconfig %s\nconf %s\ndefconfig %s\n"
	       "arch %s\nsrcarch %s\nversion %s\nunder_make %d\n",
	       env->srctree, env->objtree, env->kconfig, env->conf,
	       env->defconfig ? env->defconfig : "(none)", env->arch,
	       env->srcarch, env->version, env->under_make);
	for (entry = env->env; *entry; entry++)
		printf("env %s\n", *entry);
}

static int run_conf(const struct kenv *env, const char *path,
		    struct strbuf *why)
{
	struct strbuf config = {0}, messages = {0};
	char *text = NULL;
	size_t len;
	int err;

	err = file_read(path, 0, &text, &len);
	if (!err)
		err = kenv_run_conf(env, "olddefconfig", text, len, &config,
				    &messages, why);
	if (!err) {
		fputs(strbuf_str(&config), stdout);
		fputs(strbuf_str(&messages), stderr);
	}
	free(text);
	strbuf_free(&config);
	strbuf_free(&messages);
	return err;
}

int main(int argc, char **argv)
{
	struct kenv_options opt = {0};
	struct strbuf why = {0};
	struct kenv env;
	const char *vars[16] = { NULL };
	const char *config = NULL;
	int c, err, n = 0;

	while ((c = getopt(argc, argv, "C:O:a:n")) != -1) {
		switch (c) {
		case 'C':
			opt.tree = optarg;
			break;
		case 'O':
			opt.objtree = optarg;
			break;
		case 'a':
			opt.arch = optarg;
			break;
		case 'n':
			opt.no_cache = true;
			break;
		default:
			return 1;
		}
	}
	for (; optind < argc; optind++) {
		if (strchr(argv[optind], '=') && n < 15)
			vars[n++] = argv[optind];
		else
			config = argv[optind];
	}
	opt.vars = vars;

	err = kenv_get(&opt, &env, &why);
	if (!err && config)
		err = run_conf(&env, config, &why);
	else if (!err)
		show(&env);
	if (err)
		fprintf(stderr, "%s\n", strbuf_str(&why));
	kenv_free(&env);
	strbuf_free(&why);
	return err ? 2 : 0;
}
