// SPDX-License-Identifier: GPL-2.0-only
/*
 * preprocess - variables, functions and $(shell) of the Kconfig language
 *
 * $(name,argument,...) is split at its commas first, and then each part is
 * expanded; so what an expansion yields is never split or expanded again.
 * A name is that of an argument, a variable, a function, or an environment
 * variable, in this order.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "preprocess.h"
#include "probe.h"

/* Parts of a reference, the name included. */
#define PARTS_MAX 16
/* How often a variable may be under expansion at once. */
#define DEPTH_MAX 1000
/* References within references, and parentheses within one. */
#define NESTING_MAX 3000
/* References in one tree; the kernel's has some thousands. */
#define REFERENCES_MAX 10000000
/* Bytes that one expansion may come to. */
#define EXPANSION_MAX (16u << 20)

struct variable {
	char *name;
	struct strbuf value;
	bool recursive;
	unsigned int depth;	/* expansions of it under way */
};

struct env_use {
	const char *name, *value;
};

/* A reference, split and expanded. Part 0 is the name. */
struct call {
	struct strbuf text;	/* the parts, each with a NUL behind it */
	size_t at[PARTS_MAX];
	unsigned int n;
	struct span span;
};

struct preproc {
	struct loader *ld;
	struct { VEC(struct variable); } variables;
	struct strmap variable_map;
	struct { VEC(struct env_use); } env;
	struct strmap env_map;
	const struct call *call;	/* whose arguments $(1) etc. are */
	unsigned int nesting;
	unsigned int references;
};

struct function {
	const char *name;
	unsigned int args;
	bool (*run)(struct preproc *pp, const struct call *c,
		    struct strbuf *out);
};

static const char *part(const struct call *c, unsigned int i)
{
	return strbuf_str(&c->text) + c->at[i];
}

static size_t part_len(const struct call *c, unsigned int i)
{
	size_t end = i + 1 < c->n ? c->at[i + 1] : c->text.len;

	return end - c->at[i] - 1;
}

/* Parsing ends here. Always false. */
static bool fail(struct preproc *pp)
{
	if (!pp->ld->err)
		pp->ld->err = LKC_EPARSE;
	return false;
}

static bool out_of_memory(struct preproc *pp)
{
	pp->ld->err = LKC_ENOMEM;
	return false;
}

static bool too_deep(struct preproc *pp, struct span span)
{
	build_diag(pp->ld, LKC_ERROR, DIAG_PP_RECURSION, DIAG_PLACE, span,
		   "Too deep recursive expansion");
	return fail(pp);
}

/* ---- functions ---------------------------------------------------------- */

static bool run_info(struct preproc *pp, const struct call *c,
		     struct strbuf *out)
{
	(void)out;
	build_diag(pp->ld, LKC_INFO, DIAG_PP_INFO, DIAG_BARE, c->span, "%s",
		   part(c, 1));
	return true;
}

static bool run_warning_if(struct preproc *pp, const struct call *c,
			   struct strbuf *out)
{
	(void)out;
	if (strcmp(part(c, 1), "y") == 0)
		build_diag(pp->ld, LKC_WARNING, DIAG_PP_WARNING, DIAG_PLACE,
			   c->span, "%s", part(c, 2));
	return true;
}

static bool run_error_if(struct preproc *pp, const struct call *c,
			 struct strbuf *out)
{
	(void)out;
	if (strcmp(part(c, 1), "y") != 0)
		return true;
	build_diag(pp->ld, LKC_ERROR, DIAG_PP_ERROR, DIAG_PLACE, c->span, "%s",
		   part(c, 2));
	return fail(pp);
}

static bool run_filename(struct preproc *pp, const struct call *c,
			 struct strbuf *out)
{
	const char *name = build_place(pp->ld->tree, c->span).file;

	if (name)
		strbuf_addstr(out, name);
	return true;
}

static bool run_lineno(struct preproc *pp, const struct call *c,
		       struct strbuf *out)
{
	strbuf_addf(out, "%u", build_place(pp->ld->tree, c->span).line);
	return true;
}

/* What stands for a result that is not there yet. No command prints it. */
#define PENDING '\1'

/* conf drops newlines at the end, makes blanks of others, and stops at a NUL. */
static void add_output(const struct probe_result *r, struct strbuf *out)
{
	size_t len = r->len, i;

	while (len && r->out[len - 1] == '\n')
		len--;
	for (i = 0; i < len && r->out[i]; i++)
		strbuf_addch(out, r->out[i] == '\n' ? ' ' : r->out[i]);
}

static void pass_on_noise(struct preproc *pp, struct span span,
			  const struct probe_result *r)
{
	size_t len = r->noise_len;

	if (!len)
		return;
	if (r->noise[len - 1] == '\n')
		len--;
	build_diag(pp->ld, LKC_WARNING, DIAG_PP_NOISE, DIAG_BARE, span, "%.*s",
		   (int)len, r->noise);
}

/* What depends on results that are not there yet is not run ahead. */
static bool run_ahead(struct preproc *pp, const char *command,
		      struct strbuf *out)
{
	struct probe_result r;

	if (!strchr(command, PENDING) &&
	    probes_ahead(pp->ld->probes, command, &r))
		add_output(&r, out);
	else
		strbuf_addch(out, PENDING);
	return true;
}

static bool run_shell(struct preproc *pp, const struct call *c,
		      struct strbuf *out)
{
	const char *command = part(c, 1);
	struct probe_result r;
	int err;

	if (pp->ld->opt->no_shell) {
		build_diag(pp->ld, LKC_WARNING, DIAG_PP_SHELL, DIAG_WARNING,
			   c->span, "command not run: %s", command);
		return true;
	}
	if (pp->ld->ahead)
		return run_ahead(pp, command, out);
	if (probes_look_ahead(pp->ld->probes, command))
		build_look_ahead(pp->ld);
	err = probes_run(pp->ld->probes, command, &r);
	if (err == -ENOMEM)
		return out_of_memory(pp);
	if (err) {
		build_diag(pp->ld, LKC_ERROR, DIAG_PP_SHELL, DIAG_ERROR,
			   c->span, "/bin/sh cannot be started: error %d",
			   -err);
		pp->ld->err = LKC_EIO;
		return false;
	}
	pass_on_noise(pp, c->span, &r);
	build_hash(pp->ld, r.out, r.len);
	add_output(&r, out);
	return true;
}

static const struct function functions[] = {
	{ "error-if", 2, run_error_if },
	{ "filename", 0, run_filename },
	{ "info", 1, run_info },
	{ "lineno", 0, run_lineno },
	{ "shell", 1, run_shell },
	{ "warning-if", 2, run_warning_if },
};

#define N_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

static const struct function *find_function(const char *name)
{
	size_t i;

	for (i = 0; i < N_FUNCTIONS; i++) {
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	}
	return NULL;
}

static bool call_function(struct preproc *pp, const struct function *f,
			  const struct call *c, struct strbuf *out)
{
	if (c->n - 1 != f->args) {
		build_diag(pp->ld, LKC_ERROR, DIAG_PP_ARGUMENTS, DIAG_PLACE,
			   c->span, "too %s function arguments passed to '%s'",
			   c->n - 1 < f->args ? "few" : "many", f->name);
		return fail(pp);
	}
	return f->run(pp, c, out);
}

/* ---- variables ---------------------------------------------------------- */

static struct variable *find_variable(struct preproc *pp, const char *name)
{
	uint32_t i = strmap_get(&pp->variable_map, name, strlen(name));

	return i == UINT32_MAX ? NULL : &pp->variables.v[i];
}

static struct variable *add_variable(struct preproc *pp, const char *name)
{
	struct variable v = { .name = strdup(name) };

	if (!v.name || !vec_push(&pp->variables, v)) {
		free(v.name);
		return NULL;
	}
	if (!strmap_add(&pp->variable_map, v.name, strlen(v.name),
			pp->variables.n - 1)) {
		free(v.name);
		pp->variables.n--;
		return NULL;
	}
	return &pp->variables.v[pp->variables.n - 1];
}

static bool expand_variable(struct preproc *pp, struct variable *v,
			    const struct call *c, struct strbuf *out)
{
	const struct call *outer = pp->call;
	bool ok;

	if (v->depth && c->n == 1) {
		build_diag(pp->ld, LKC_ERROR, DIAG_PP_RECURSION, DIAG_PLACE,
			   c->span,
			   "Recursive variable '%s' references itself (eventually)",
			   v->name);
		return fail(pp);
	}
	if (!v->recursive) {
		strbuf_add(out, strbuf_str(&v->value), v->value.len);
		return true;
	}
	if (v->depth > DEPTH_MAX)
		return too_deep(pp, c->span);
	v->depth++;
	pp->call = c;
	ok = preproc_expand(pp, strbuf_str(&v->value), v->value.len, c->span,
			    out);
	pp->call = outer;
	v->depth--;
	return ok;
}

/* What follows "name +=" is appended behind a blank, all else replaces. */
static void set_value(struct preproc *pp, struct variable *v, bool append,
		      const struct strbuf *value, struct span span)
{
	if (append)
		strbuf_addch(&v->value, ' ');
	strbuf_add(&v->value, strbuf_str(value), value->len);
	if (value->err || v->value.err)
		out_of_memory(pp);
	else if (v->value.len > EXPANSION_MAX)
		too_deep(pp, span);
}

void preproc_assign(struct preproc *pp, const char *name, const char *value,
		    enum preproc_flavor flavor, struct span span)
{
	struct variable *v = find_variable(pp, name);
	bool append = flavor == PREPROC_APPEND && v;
	struct strbuf text = {0};

	if (pp->ld->err)
		return;
	if (!v)
		v = add_variable(pp, name);
	if (!v) {
		out_of_memory(pp);
		return;
	}
	if (!append) {
		/* before it is expanded: in "x := $(x)", $(x) is nothing */
		strbuf_reset(&v->value);
		v->recursive = flavor != PREPROC_SIMPLE;
	}
	if (v->recursive)
		strbuf_addstr(&text, value);
	else
		preproc_expand(pp, value, strlen(value), span, &text);
	if (!pp->ld->err)
		set_value(pp, v, append, &text, span);
	strbuf_free(&text);
}

/* ---- the environment ---------------------------------------------------- */

static bool expand_env(struct preproc *pp, const struct call *c,
		       struct strbuf *out)
{
	size_t len = strlen(part(c, 0));
	uint32_t i = strmap_get(&pp->env_map, part(c, 0), len);
	struct env_use use;

	if (i == UINT32_MAX) {
		use.value = lkc_tree_getenv(pp->ld->tree, part(c, 0));
		if (!use.value)
			return true;
		use.name = strdup(part(c, 0));
		i = pp->env.n;
		if (!use.name || !vec_push(&pp->env, use)) {
			free((char *)use.name);
			return out_of_memory(pp);
		}
		if (!strmap_add(&pp->env_map, use.name, len, i))
			return out_of_memory(pp);
		build_hash(pp->ld, use.name, len);
		build_hash(pp->ld, use.value, strlen(use.value));
	}
	strbuf_addstr(out, pp->env.v[i].value);
	return true;
}

size_t preproc_env_count(const struct preproc *pp)
{
	return pp->env.n;
}

void preproc_env(const struct preproc *pp, size_t i, const char **name,
		 const char **value)
{
	*name = pp->env.v[i].name;
	*value = pp->env.v[i].value;
}

/* ---- references --------------------------------------------------------- */

/* The number that @name consists of, or 0. */
static unsigned int argument_number(const char *name)
{
	unsigned int n = 0;

	for (; *name; name++) {
		if (*name < '0' || *name > '9' || n > PARTS_MAX)
			return 0;
		n = n * 10 + *name - '0';
	}
	return n;
}

static bool expand_call(struct preproc *pp, const struct call *c,
			struct strbuf *out)
{
	const char *name = part(c, 0);
	unsigned int number = argument_number(name);
	const struct function *f;
	struct variable *v;

	if (c->n == 1 && number && pp->call && number < pp->call->n) {
		strbuf_add(out, part(pp->call, number),
			   part_len(pp->call, number));
		return true;
	}
	v = find_variable(pp, name);
	if (v)
		return expand_variable(pp, v, c, out);
	f = find_function(name);
	if (f)
		return call_function(pp, f, c, out);
	return c->n == 1 ? expand_env(pp, c, out) : true;
}

/*
 * The length of the text before the first of @ends (one or two characters)
 * outside of parentheses; @len if there is none, or SIZE_MAX if parentheses
 * go too deep.
 */
static size_t find_outside(const char *text, size_t len, const char *ends)
{
	unsigned int depth = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		if (!depth && (text[i] == ends[0] ||
			       (ends[1] && text[i] == ends[1])))
			break;
		if (text[i] == '(' && ++depth > NESTING_MAX)
			return SIZE_MAX;
		if (text[i] == ')')
			depth--;
	}
	return i;
}

/* Splits the inside of a reference and expands its parts into @c. */
static bool expand_parts(struct preproc *pp, const char *text, size_t len,
			 struct call *c)
{
	for (;;) {
		size_t n = find_outside(text, len, ",");

		if (c->n == PARTS_MAX) {
			build_diag(pp->ld, LKC_ERROR, DIAG_PP_ARGUMENTS,
				   DIAG_PLACE, c->span,
				   "too many function arguments");
			return fail(pp);
		}
		c->at[c->n++] = c->text.len;
		if (!preproc_expand(pp, text, n, c->span, &c->text))
			return false;
		strbuf_addch(&c->text, '\0');
		if (c->text.err)
			return out_of_memory(pp);
		if (n == len)
			return true;
		text += n + 1;
		len -= n + 1;
	}
}

static bool expand_reference(struct preproc *pp, const char *text, size_t len,
			     struct span span, struct strbuf *out)
{
	struct call c = { .span = span };
	bool ok;

	if (pp->nesting >= NESTING_MAX || pp->references >= REFERENCES_MAX)
		return too_deep(pp, span);
	pp->references++;
	pp->nesting++;
	ok = expand_parts(pp, text, len, &c) && expand_call(pp, &c, out);
	pp->nesting--;
	strbuf_free(&c.text);
	if (ok && out->err)
		return out_of_memory(pp);
	if (ok && out->len > EXPANSION_MAX)
		return too_deep(pp, span);
	return ok;
}

bool preproc_expand_dollar(struct preproc *pp, const char *text, size_t len,
			   struct span span, struct strbuf *out, size_t *used)
{
	size_t n;

	if (pp->ld->err)
		return false;
	if (len < 2 || text[1] != '(') {
		strbuf_addch(out, '$');
		*used = 1;
		return true;
	}
	text += 2;
	len -= 2;
	n = find_outside(text, len, ")");
	if (n == SIZE_MAX)
		return too_deep(pp, span);
	if (n == len) {
		build_diag(pp->ld, LKC_ERROR, DIAG_PP_SYNTAX, DIAG_PLACE, span,
			   "unterminated reference to '%.*s': missing ')'",
			   (int)len, text);
		return fail(pp);
	}
	*used = n + 3;
	return expand_reference(pp, text, n, span, out);
}

bool preproc_expand(struct preproc *pp, const char *text, size_t len,
		    struct span span, struct strbuf *out)
{
	while (len) {
		const char *dollar = memchr(text, '$', len);
		size_t n = dollar ? (size_t)(dollar - text) : len;

		strbuf_add(out, text, n);
		text += n;
		len -= n;
		if (!len)
			break;
		if (!preproc_expand_dollar(pp, text, len, span, out, &n))
			return false;
		text += n;
		len -= n;
	}
	return out->err ? out_of_memory(pp) : true;
}

/* ------------------------------------------------------------------------- */

struct preproc *preproc_new(struct loader *ld)
{
	struct preproc *pp = calloc(1, sizeof(*pp));

	if (pp)
		pp->ld = ld;
	return pp;
}

void preproc_free(struct preproc *pp)
{
	uint32_t i;

	if (!pp)
		return;
	for (i = 0; i < pp->variables.n; i++) {
		free(pp->variables.v[i].name);
		strbuf_free(&pp->variables.v[i].value);
	}
	for (i = 0; i < pp->env.n; i++)
		free((char *)pp->env.v[i].name);
	vec_free(&pp->variables);
	vec_free(&pp->env);
	strmap_free(&pp->variable_map);
	strmap_free(&pp->env_map);
	free(pp);
}
