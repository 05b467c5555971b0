// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent run - the agent
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"
#include "base/atomfile.h"
#include "base/strbuf.h"
#include "cmd.h"
#include "fragment.h"
#include "group.h"
#include "interrupt.h"
#include "journal.h"
#include "kb.h"
#include "key.h"
#include "llm.h"
#include "menupath.h"
#include "opts.h"
#include "outcome.h"
#include "record.h"
#include "report.h"
#include "session.h"
#include "term.h"
#include "text.h"
#include "walk.h"

#define GOAL_MAX (64u << 10)	/* bytes */
#define REPAIR_DEFAULT 2
#define REPAIR_MAX 10

struct run_options {
	struct opts_common common;
	const char *goal;
	const char *goal_file;
	const char *provider;
	const char *model;
	const char *url;
	struct opt_list scope;
	unsigned int max_repair;
	bool dry_run;
	bool show_requests;
	const char *journal;
	const char *fragment;
	const char *defconfig;
};

#define RUN(member) offsetof(struct run_options, member)

static const struct opt options[] = {
	{ .name = "goal", .letter = 'g', .arg = "TEXT", .type = OPT_TEXT,
	  .offset = RUN(goal),
	  .help = "what the kernel is for, in words; asked for on a terminal if it is not given" },
	{ .name = "goal-file", .arg = "FILE", .type = OPT_TEXT,
	  .offset = RUN(goal_file), .help = "the same, from a file" },
	{ .name = "provider", .arg = "NAME", .type = OPT_TEXT,
	  .offset = RUN(provider), .env = "KCONFIG_AGENT_PROVIDER",
	  .help = "who answers (default: knowledge, which is built in); see below" },
	{ .name = "model", .arg = "NAME", .type = OPT_TEXT,
	  .offset = RUN(model), .env = "KCONFIG_AGENT_MODEL",
	  .help = "the model, as the provider calls it" },
	{ .name = "url", .arg = "URL", .type = OPT_TEXT,
	  .offset = RUN(url), .env = "KCONFIG_AGENT_URL",
	  .help = "where the provider's interface is, such as http://127.0.0.1:8080/v1" },
	{ .name = "scope", .arg = "MENU", .type = OPT_LIST,
	  .offset = RUN(scope),
	  .help = "ask about this menu only: a path of prompts such as \"Networking support/Networking options\", or a symbol; may be repeated" },
	{ .name = "max-repair", .arg = "N", .type = OPT_NUMBER,
	  .offset = RUN(max_repair), .max = REPAIR_MAX,
	  .help = "how often answers that do not hold are asked for again, per question (default: 2)" },
	{ .name = "dry-run", .letter = 'n', .type = OPT_FLAG,
	  .offset = RUN(dry_run),
	  .help = "write no configuration, and no journal unless --journal names one" },
	{ .name = "show-requests", .type = OPT_FLAG,
	  .offset = RUN(show_requests),
	  .help = "print what is asked and answered, on the standard error" },
	{ .name = "journal", .arg = "FILE", .type = OPT_TEXT,
	  .offset = RUN(journal),
	  .help = "where the journal goes (default: a new file in ~/.local/state/kconfig-agent)" },
	{ .name = "write-fragment", .arg = "FILE", .type = OPT_TEXT,
	  .offset = RUN(fragment),
	  .help = "also write what was suggested and holds, with reasons, for merge_config.sh" },
	{ .name = "write-defconfig", .arg = "FILE", .type = OPT_TEXT,
	  .offset = RUN(defconfig),
	  .help = "also write the result in the short form of savedefconfig" },
	{ .name = NULL },
};

static void set_defaults(void *values)
{
	struct run_options *o = values;

	o->max_repair = REPAIR_DEFAULT;
}

/* ---- a run --------------------------------------------------------------- */

struct run {
	const struct run_options *o;
	struct term term;
	struct session session;
	struct lkc_config *base;
	struct walk *walk;
	struct kb *kb;
	struct kb_plan *plan;		/* of the knowledge provider only */
	struct llm *llm;
	struct journal *journal;
	struct report report;
	struct agent_totals totals;
	char *goal;
	/* absolute: */
	char *journal_path, *fragment_path, *defconfig_path;
};

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

static const char *provider_name(const struct run *r)
{
	return r->o->provider ? r->o->provider : "knowledge";
}

/* ---- settings ------------------------------------------------------------ */

/* Asks the person who sits there, if one does. To be freed; NULL: no. */
static char *ask_goal(void)
{
	char *line = NULL;
	size_t size = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return NULL;
	fputs("What is this kernel for? ", stderr);
	fflush(stderr);
	if (getline(&line, &size, stdin) >= 0)
		return line;
	free(line);
	fputc('\n', stderr);
	return NULL;
}

/* The goal as it was given, to be freed. Returns an exit status. */
static int find_goal(const struct run_options *o, char **text)
{
	size_t len;
	int err;

	if (o->goal && o->goal_file) {
		term_error("--goal and --goal-file exclude each other");
		return EXIT_USAGE;
	}
	if (o->goal_file) {
		err = file_read(o->goal_file, GOAL_MAX, text, &len);
		if (err) {
			term_error("%s: it cannot be read: %s", o->goal_file,
				   strerror(-err));
			return EXIT_INPUT;
		}
		return EXIT_DONE;
	}
	*text = o->goal ? strdup(o->goal) : ask_goal();
	if (*text)
		return EXIT_DONE;
	if (o->goal)
		return out_of_memory();
	if (interrupt_seen(NULL))
		return EXIT_INTERRUPTED;
	term_error("say what the kernel is for, with --goal \"...\"");
	return EXIT_USAGE;
}

static int read_goal(struct run *r)
{
	char *text = NULL;
	int status = find_goal(r->o, &text);

	if (status)
		return status;
	r->goal = text_line(text, 0);
	free(text);
	if (!r->goal)
		return out_of_memory();
	if (*r->goal)
		return EXIT_DONE;
	term_error("the goal is empty: say what the kernel is for");
	return EXIT_USAGE;
}

/* The default place of a journal, whose directory is made. NULL: none. */
static char *default_journal(void)
{
	char name[80], stamp[32], *path, *slash;
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) ||
	    !strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm))
		return NULL;
	snprintf(name, sizeof(name), "kconfig-agent/journal-%s-%ld.jsonl",
		 stamp, (long)getpid());
	path = opts_user_path("XDG_STATE_HOME", ".local/state", name);
	/* each directory above the file in turn */
	for (slash = path ? strchr(path + 1, '/') : NULL; slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	return path;
}

/* Paths on the command line are meant from where we are now. */
static int find_paths(struct run *r)
{
	const struct run_options *o = r->o;

	r->fragment_path = session_absolute(o->fragment);
	r->defconfig_path = session_absolute(o->defconfig);
	r->journal_path = session_absolute(o->journal);
	if ((o->fragment && !r->fragment_path) ||
	    (o->defconfig && !r->defconfig_path) ||
	    (o->journal && !r->journal_path))
		return out_of_memory();
	if (r->journal_path || o->dry_run)
		return EXIT_DONE;
	r->journal_path = default_journal();
	if (r->journal_path)
		return EXIT_DONE;
	term_error("there is no place for the journal, as neither XDG_STATE_HOME nor HOME is set; name one with --journal");
	return EXIT_USAGE;
}

static int make_walk(struct run *r)
{
	const struct opt_list *scope = &r->o->scope;
	struct strbuf why = {0};
	size_t i;

	if (walk_new(r->session.config, &r->walk) ||
	    lkc_config_clone(r->session.config, &r->base) ||
	    report_init(&r->report, r->base))
		return out_of_memory();
	for (i = 0; i < scope->n; i++) {
		lkc_menu m = menupath_find(r->session.tree, scope->v[i], &why);

		if (m == LKC_NONE) {
			term_error("--scope: %s", strbuf_str(&why));
			strbuf_free(&why);
			return EXIT_USAGE;
		}
		walk_scope(r->walk, m);
	}
	return EXIT_DONE;
}

static int load_knowledge(struct run *r)
{
	const struct session *s = &r->session;
	struct strbuf why = {0};
	int err;

	if (strcmp(provider_name(r), "knowledge") != 0)
		return EXIT_DONE;
	err = kb_load(NULL, &r->kb, &why);
	if (!err)
		err = kb_plan_make(r->kb, r->goal, s->env.version,
				   s->env.srcarch, &r->plan);
	if (err)
		term_error("the built-in knowledge cannot be used: %s",
			   why.len ? strbuf_str(&why) : strerror(-err));
	strbuf_free(&why);
	return err ? EXIT_INPUT : EXIT_DONE;
}

static int open_provider(struct run *r)
{
	struct llm_settings s = {
		.provider = r->o->provider,
		.model = r->o->model,
		.url = r->o->url,
		.goal = r->goal,
		.kb = r->kb,
		.interrupted = interrupt_seen,
	};
	struct strbuf why = {0};
	char *key;
	int err = key_get(r->o->provider, &key, &why);

	if (!err) {
		s.key = key;
		err = llm_open(&s, &r->llm, &why);
	}
	key_free(key);
	if (!err) {
		strbuf_free(&why);
		return EXIT_DONE;
	}
	term_error("%s: %s", provider_name(r), why.len ? strbuf_str(&why) :
		   err == LLM_ENOMEM ? "out of memory" : "it cannot be used");
	strbuf_free(&why);
	if (interrupt_seen(NULL))
		return EXIT_INTERRUPTED;
	return err == LLM_ECONFIG || err == -EINVAL || err == -ENOENT ?
		EXIT_USAGE : EXIT_PROVIDER;
}

static int begin_journal(struct run *r)
{
	const struct session *s = &r->session;
	struct record_header h = {
		.tree = s->tree,
		.kernel = s->env.version,
		.arch = s->env.arch,
		.goal = r->goal,
		.provider = llm_name(r->llm),
		.model = llm_model(r->llm),
		.base_path = s->base_path,
		.base_origin = session_origin_name(s->origin),
		.base_text = s->base_text,
		.base_len = s->base_len,
		.scope = r->o->scope.v,
		.max_repair = r->o->max_repair,
	};
	struct strbuf why = {0};
	int err;

	if (!r->journal_path)
		return EXIT_DONE;
	err = journal_create(r->journal_path, &r->journal, &why);
	if (err)
		term_error("journal: %s", why.len ? strbuf_str(&why) :
			   strerror(-err));
	strbuf_free(&why);
	if (err)
		return EXIT_INPUT;
	err = record_begin(r->journal, &h);
	if (!err)
		return EXIT_DONE;
	term_error("%s: it cannot be written: %s", r->journal_path,
		   strerror(-err));
	return EXIT_INPUT;
}

static int set_up(struct run *r)
{
	static int (*const steps[])(struct run *r) = {
		make_walk, load_knowledge, open_provider, begin_journal,
	};
	const struct opts_common *common = &r->o->common;
	int status = read_goal(r);
	size_t i;

	if (!status)
		status = find_paths(r);
	if (!status)
		status = session_open(&r->session, common);
	if (!status)
		status = session_read_base(&r->session, common);
	for (i = 0; !status && i < sizeof(steps) / sizeof(steps[0]); i++)
		status = steps[i](r);
	if (!status && !r->o->provider && !common->quiet && !common->json)
		fputs("No model is configured (see --provider): the built-in knowledge answers, offline.\n",
		      stderr);
	return status;
}

/* ---- watching ------------------------------------------------------------ */

static void show(const char *title, const char *text, size_t len)
{
	struct strbuf b = {0};

	text_add_lines(&b, text, len);
	fprintf(stderr, "---- %s\n%s\n", title, strbuf_str(&b));
	strbuf_free(&b);
}

static void show_request(const struct agent_event *e)
{
	static const char *const roles[] = {
		[LLM_SYSTEM] = "system",
		[LLM_USER] = "question",
		[LLM_ASSISTANT] = "answer",
	};
	char title[64];
	uint32_t i;

	for (i = 0; i < e->prompt->messages.n; i++) {
		const struct llm_message *m = &e->prompt->messages.v[i];

		snprintf(title, sizeof(title), "%" PRIu64 ".%u %s", e->number,
			 e->group->round, roles[m->role]);
		show(title, m->text, strlen(m->text));
	}
}

static void show_reply(const struct agent_event *e)
{
	char title[64];

	snprintf(title, sizeof(title), "%" PRIu64 ".%u reply", e->number,
		 e->group->round);
	if (e->reply->text)
		show(title, e->reply->text, e->reply->len);
	else
		show(title, e->reply->message ? e->reply->message :
		     llm_err_name(e->reply->err),
		     strlen(e->reply->message ? e->reply->message :
			    llm_err_name(e->reply->err)));
}

static void show_progress(struct run *r, const struct agent_event *e)
{
	struct strbuf path = {0};

	if (!r->term.progress)
		return;
	menupath_add(&path, r->session.tree, e->group->menu);
	term_progress(&r->term, "question %" PRIu64 "%s: %s", e->number,
		      e->group->round ? ", once more" : "",
		      path.len ? strbuf_str(&path) : "the top of the menus");
	strbuf_free(&path);
}

static int observe(void *arg, const struct agent_event *e)
{
	struct run *r = arg;
	int err;

	if (e->type == AGENT_ASK)
		show_progress(r, e);
	if (r->o->show_requests && e->type == AGENT_ASK)
		show_request(e);
	if (r->o->show_requests && e->type == AGENT_REPLY)
		show_reply(e);
	if (report_event(&r->report, e))
		return AGENT_ENOMEM;
	if (!r->journal)
		return 0;
	err = record_event(r->journal, e);
	if (!err)
		return 0;
	term_progress_end(&r->term);
	term_error("%s: it cannot be written: %s", r->journal_path,
		   strerror(-err));
	return AGENT_EOBSERVER;
}

/* ---- the end ------------------------------------------------------------- */

static int end_journal(struct run *r, const char *status,
		       const struct outcome *out)
{
	int err;

	if (!r->journal)
		return EXIT_DONE;
	err = record_end(r->journal, status, out ? out->text.text : NULL,
			 out ? out->text.len : 0);
	if (!err)
		return EXIT_DONE;
	term_error("%s: it cannot be written: %s", r->journal_path,
		   strerror(-err));
	return EXIT_INPUT;
}

/* The agent did not come to its end: nothing is written but the journal. */
static int stop(struct run *r, int err, const struct strbuf *why)
{
	static const struct {
		int err;
		int status;
		const char *name;
	} ends[] = {
		{ AGENT_EINTERRUPTED, EXIT_INTERRUPTED, "interrupted" },
		{ AGENT_EPROVIDER, EXIT_PROVIDER, "provider failed" },
		{ AGENT_ENOANSWER, EXIT_PROVIDER, "no answer" },
		{ AGENT_EOBSERVER, EXIT_INPUT, "not recorded" },
		{ AGENT_ENOMEM, EXIT_INPUT, "out of memory" },
	};
	size_t i = 0;

	while (ends[i].err != err && i + 1 < sizeof(ends) / sizeof(ends[0]))
		i++;
	if (err != AGENT_EOBSERVER)
		term_error("%s%s", err == AGENT_EPROVIDER ?
			   "the provider failed: " : "", strbuf_str(why));
	if (r->journal)
		term_error("%s is as it was; what was accepted so far is in %s, and kconfig-agent replay writes it",
			   r->session.config_path, r->journal_path);
	else
		term_error("%s is as it was", r->session.config_path);
	if (err != AGENT_EOBSERVER)
		end_journal(r, ends[i].name, NULL);
	return ends[i].status;
}

static int ask(struct run *r)
{
	const struct kenv *env = &r->session.env;
	struct agent_settings s = {
		.config = r->session.config,
		.walk = r->walk,
		.llm = r->llm,
		.about = {
			.goal = r->goal,
			.version = env->version,
			.arch = env->arch,
		},
		.max_repair = r->o->max_repair,
		.observe = observe,
		.interrupted = interrupt_seen,
		.arg = r,
	};
	struct strbuf why = {0};
	int err, status = EXIT_DONE;

	err = agent_run(&s, &r->totals, &why);
	term_progress_end(&r->term);
	if (r->journal && !err)
		err = record_usage(r->journal, &r->totals) ? AGENT_EOBSERVER : 0;
	if (err)
		status = stop(r, err, &why);
	else if (report_finish(&r->report, r->session.config))
		status = out_of_memory();
	strbuf_free(&why);
	return status;
}

static int write_others(struct run *r, const struct outcome *out)
{
	struct strbuf fragment = {0};
	char *text;
	size_t len;
	int status = EXIT_DONE;

	if (r->fragment_path) {
		fragment_add(&fragment, &r->report, out->text.text, r->goal);
		status = fragment.err ? out_of_memory() :
			outcome_write_other(r->fragment_path,
					    strbuf_str(&fragment),
					    fragment.len);
		strbuf_free(&fragment);
	}
	if (status || !r->defconfig_path)
		return status;
	if (lkc_config_format(r->session.config, LKC_FORMAT_DEFCONFIG, &text,
			      &len))
		return out_of_memory();
	status = outcome_write_other(r->defconfig_path, text, len);
	free(text);
	return status;
}

static int print_report(struct run *r, const struct outcome *out)
{
	const struct session *s = &r->session;
	struct report_about about = {
		.goal = r->goal,
		.kernel = s->env.version,
		.arch = s->env.arch,
		.provider = llm_name(r->llm),
		.model = llm_model(r->llm),
		.config_path = s->config_path,
		.base_path = s->base_path,
		.base_origin = session_origin_name(s->origin),
		.journal = r->journal_path,
		.fragment = r->fragment_path,
		.defconfig = r->defconfig_path,
		.walk = r->walk,
		.plan = r->plan,
		.totals = &r->totals,
		.dry_run = r->o->dry_run,
		.only_ours = out->text.only_ours,
		.written = out->written,
		.had_config = out->had_config,
	};
	int err = 0;

	if (r->o->common.json)
		err = report_print_json(&r->report, &about);
	else if (!r->o->common.quiet)
		err = report_print(&r->report, &about, &r->term,
				   r->o->common.verbose);
	return err ? out_of_memory() : EXIT_DONE;
}

static int conclude(struct run *r)
{
	struct outcome out;
	int status = outcome_pass(&r->session, !r->o->dry_run, &out);

	/* the .config last: if anything fails, it is as it was */
	if (!status)
		status = write_others(r, &out);
	if (!status && !r->o->dry_run)
		status = outcome_write(&r->session, true, &out);
	if (!status)
		status = end_journal(r, r->o->dry_run ? "dry run" : "done",
				     &out);
	else
		end_journal(r, status == EXIT_INTERRUPTED ? "interrupted" :
			    status == EXIT_DISAGREE ? "disagreed" : "failed",
			    NULL);
	if (!status)
		status = print_report(r, &out);
	outcome_free(&out);
	return status;
}

static void tear_down(struct run *r)
{
	llm_close(r->llm);
	kb_plan_free(r->plan);
	kb_free(r->kb);
	journal_close(r->journal);
	walk_free(r->walk);
	report_free(&r->report);
	lkc_config_free(r->base);
	session_close(&r->session);
	free(r->goal);
	free(r->journal_path);
	free(r->fragment_path);
	free(r->defconfig_path);
}

static int run(void *values, const struct opts *o)
{
	const struct run_options *options = values;
	struct run r = { .o = options };
	int status;

	(void)o;
	interrupt_catch();
	term_init(&r.term, &options->common);
	status = set_up(&r);
	if (!status)
		status = ask(&r);
	if (!status)
		status = conclude(&r);
	tear_down(&r);
	return status;
}

static void print_more(FILE *f)
{
	const struct llm_ops *const *p;

	fprintf(f, "\nProviders:\n");
	for (p = llm_providers(); *p; p++)
		fprintf(f, "  %-10s %s\n", (*p)->name, (*p)->summary);
	fprintf(f, "\n"
		"KCONFIG_AGENT_PROVIDER, KCONFIG_AGENT_MODEL and KCONFIG_AGENT_URL stand for\n"
		"--provider, --model and --url, which may also be set in the file\n"
		"~/.config/kconfig-agent/config. A key comes from the file that\n"
		"KCONFIG_AGENT_KEY_FILE names, or from OPENAI_API_KEY, ANTHROPIC_API_KEY\n"
		"or OLLAMA_API_KEY.\n");
}

const struct cmd cmd_run = {
	.name = "run",
	.summary = "configure the kernel for a goal",
	.args = "",
	.about =
"Walks the menus of the kernel's configuration, asks the provider which entries\n"
"matter for the goal and what they should be, has Kconfig's rules judge every\n"
"suggestion, and writes a configuration that the kernel's own conf agrees with.\n"
"Every changed symbol is reported with its reason, and so is every suggestion\n"
"that was turned down. Nothing is written before the end.\n",
	.opts = options,
	.size = sizeof(struct run_options),
	.defaults = set_defaults,
	.more = print_more,
	.run = run,
};
