/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parser - the grammar of the Kconfig language
 *
 * Statements call build.h as they are recognised. A statement with an error in
 * it is skipped to the end of its line, and so is what then makes no sense for
 * want of it; all is reported.
 *
 * The dialects have one grammar. Words that are not keywords in a dialect are
 * plain words already for the lexer, and some that no longer may stand where they
 * once could are other tokens (T_OLD_*, T_CHOICE_NAME). For the rest, where a
 * dialect lacks a form, the grammar asks refuse() at the token that conf would
 * stumble over.
 */
%define api.pure full
%define api.prefix {kconfig_yy}
%define api.location.type {struct span}
%define parse.error simple
%locations
%param { struct parser *ps }
%expect 0

%code requires {
#include "lexer.h"
}

%code provides {
int kconfig_yylex(KCONFIG_YYSTYPE *val, struct span *span, struct parser *ps);
}

%code {
static void kconfig_yyerror(const struct span *span, struct parser *ps,
			    const char *message);
static bool refuse(struct parser *ps, struct span span, bool wrong,
		   bool recovering);
static lkc_sym constant(struct parser *ps, struct text t);
static lkc_sym symbol(struct parser *ps, struct text t);
static void assign(struct parser *ps, struct text name, struct assignment a,
		   struct span eol);
static void config(struct parser *ps, struct text name, bool menuconfig,
		   struct span span);
static void typed_prompt(struct parser *ps, enum lkc_type type,
			 struct text prompt, lkc_expr cond, struct span span);
static void config_end(struct parser *ps);
static void choice_end(struct parser *ps);
static void menuconfig_end(struct parser *ps, struct span next);
static void help(struct parser *ps);
static bool option(struct parser *ps, struct text name, struct text value,
		   struct span span);
static bool in_choice(const struct parser *ps);
static void statement_error(struct parser *ps, struct span span,
			    struct text word);

/* The statement's first token stands for the whole, but for its length. */
#define YYLLOC_DEFAULT(loc, rhs, n) \
	do { \
		if (n) { \
			(loc) = YYRHSLOC(rhs, 1); \
			if ((loc).file == YYRHSLOC(rhs, n).file) \
				(loc).end = YYRHSLOC(rhs, n).end; \
		} else { \
			(loc) = YYRHSLOC(rhs, 0); \
			(loc).start = (loc).end; \
		} \
	} while (0)

/* Where the dialect does not allow the token at @loc. */
#define REFUSE(wrong, loc) \
	do { \
		if (refuse(ps, loc, wrong, YYRECOVERING())) \
			YYERROR; \
	} while (0)

#define DIALECT (ps->ld->dialect)
#define NO_TEXT ((struct text){ 0 })
}

%union {
	struct text text;
	struct assignment assignment;
	lkc_expr expr;
	lkc_sym sym;
	enum lkc_op op;
	enum lkc_type type;
	enum lkc_entry_kind kind;
}

%token <text> T_WORD T_QUOTED T_CHOICE_NAME
%token <assignment> T_ASSIGN
%token T_BOOL T_CHOICE T_COMMENT T_CONFIG T_DEF_BOOL T_DEF_TRISTATE T_DEFAULT
%token T_DEPENDS T_ENDCHOICE T_ENDIF T_ENDMENU T_HELP T_HEX T_IF T_IMPLY T_INT
%token T_MAINMENU T_MENU T_MENUCONFIG T_MODULES T_ON T_OPTION T_OPTIONAL
%token T_PROMPT T_RANGE T_SELECT T_SOURCE T_STRING T_TRANSITIONAL T_TRISTATE
%token T_VISIBLE T_OLD_BOOL T_OLD_TRISTATE
%token T_EQUAL T_UNEQUAL T_LESS T_LESS_EQUAL T_GREATER T_GREATER_EQUAL
%token T_CLOSE_PAREN T_OPEN_PAREN T_EOL

%left T_OR
%left T_AND
%precedence T_NOT

%type <text> choice_name option_value word_or_modules
%type <type> type def_type choice_type
%type <expr> expr value if_cond depends_if
%type <sym> any_symbol
%type <op> comparison
%type <kind> end

%%

input: statements
	| mainmenu statements
	;

mainmenu: T_MAINMENU T_QUOTED T_EOL
	{
		build_mainmenu(ps->ld, source_name(ps, $T_QUOTED), @$);
	}
	;

statements: %empty
	| statements assignment
	| statements choice_block
	| statements comment
	| statements config
	| statements menuconfig
	| statements if_block
	| statements menu_block
	| statements source
	| statements T_WORD error T_EOL
	{
		statement_error(ps, @2, $2);
	}
	| statements invalid
	;

invalid: error T_EOL
	{
		statement_error(ps, @2, NO_TEXT);
	}
	;

assignment: T_WORD T_ASSIGN T_EOL
	{
		assign(ps, $T_WORD, $T_ASSIGN, @T_EOL);
	}
	;

source: T_SOURCE not_in_choice T_QUOTED T_EOL
	{
		source_enter(ps, source_name(ps, $T_QUOTED), @$);
	}
	;

end: T_ENDCHOICE T_EOL
	{
		$$ = LKC_ENTRY_CHOICE;
	}
	| T_ENDIF T_EOL
	{
		$$ = LKC_ENTRY_IF;
	}
	| T_ENDMENU T_EOL
	{
		$$ = LKC_ENTRY_MENU;
	}
	;

/* ---- config ------------------------------------------------------------- */

config: config_head config_options
	{
		config_end(ps);
	}
	;

config_head: T_CONFIG T_WORD T_EOL
	{
		config(ps, $T_WORD, false, @$);
	}
	;

menuconfig: menuconfig_head config_options
	{
		menuconfig_end(ps, yylloc);
	}
	;

menuconfig_head: T_MENUCONFIG not_in_choice T_WORD T_EOL
	{
		config(ps, $T_WORD, true, @$);
	}
	;

config_options: %empty
	| config_options config_option
	| config_options depends
	| config_options help
	;

config_option: type T_EOL
	{
		build_type(ps->ld, $type, @$);
	}
	| type T_QUOTED if_cond T_EOL
	{
		typed_prompt(ps, $type, $T_QUOTED, $if_cond, @$);
	}
	| prompt
	| T_DEFAULT value if_cond T_EOL
	{
		build_default(ps->ld, $value, $if_cond, @$);
	}
	| def_type value if_cond T_EOL
	{
		build_default(ps->ld, $value, $if_cond, @$);
		build_type(ps->ld, $def_type, @$);
	}
	| T_SELECT T_WORD if_cond T_EOL
	{
		build_select(ps->ld, symbol(ps, $T_WORD), $if_cond, @$);
	}
	| T_IMPLY T_WORD if_cond T_EOL
	{
		build_imply(ps->ld, symbol(ps, $T_WORD), $if_cond, @$);
	}
	| T_RANGE any_symbol[low] any_symbol[high] if_cond T_EOL
	{
		build_range(ps->ld, $low, $high, $if_cond, @$);
	}
	| T_MODULES T_EOL
	{
		build_modules(ps->ld, @$);
	}
	| T_TRANSITIONAL T_EOL
	{
		build_transitional(ps->ld, @$);
	}
	| T_OPTION word_or_modules option_value
	{
		REFUSE(!option(ps, $2, $3, @$), @2);
	}
	T_EOL
	;

value: expr
	{
		build_value(ps->ld);
		$$ = $expr;
	}
	;

type: bool
	{
		$$ = LKC_BOOL;
	}
	| tristate
	{
		$$ = LKC_TRISTATE;
	}
	| T_INT
	{
		$$ = LKC_INT;
	}
	| T_HEX
	{
		$$ = LKC_HEX;
	}
	| T_STRING
	{
		$$ = LKC_STRING;
	}
	;

bool: T_BOOL
	| T_OLD_BOOL
	;

tristate: T_TRISTATE
	| T_OLD_TRISTATE
	;

def_type: T_DEF_BOOL
	{
		$$ = LKC_BOOL;
	}
	| T_DEF_TRISTATE
	{
		$$ = LKC_TRISTATE;
	}
	;

prompt: T_PROMPT T_QUOTED if_cond T_EOL
	{
		build_prompt(ps->ld, parser_keep(ps, $T_QUOTED), $if_cond, @$);
	}
	;

word_or_modules: T_WORD
	| T_MODULES
	{
		$$ = (struct text){ "modules", sizeof("modules") - 1 };
	}
	;

option_value: %empty
	{
		$$ = NO_TEXT;
	}
	| T_EQUAL T_QUOTED
	{
		$$ = $T_QUOTED;
	}
	;

depends: T_DEPENDS T_ON expr depends_if T_EOL
	{
		build_depends(ps->ld, $expr, $depends_if, @$);
	}
	;

depends_if: %empty
	{
		$$ = LKC_NONE;
	}
	| T_IF
	{
		REFUSE(DIALECT < DIALECT_7_2, @1);
	}
	expr
	{
		$$ = $expr;
	}
	;

help: T_HELP T_EOL
	{
		help(ps);
	}
	;

/* ---- choice ------------------------------------------------------------- */

choice_block: choice choice_statements end
	{
		source_close_block(ps, $end, @end);
	}
	;

choice: choice_head choice_options
	{
		choice_end(ps);
		source_open_block(ps, LKC_ENTRY_CHOICE, @choice_head);
	}
	;

choice_head: T_CHOICE choice_name T_EOL
	{
		build_choice(ps->ld, $choice_name.s, $choice_name.len, @$);
		ps->entry_name = (struct text){ "<choice>", 8 };
	}
	;

choice_name: %empty
	{
		$$ = NO_TEXT;
	}
	| T_CHOICE_NAME
	;

choice_options: %empty
	| choice_options choice_option
	| choice_options depends
	| choice_options help
	;

choice_option: prompt
	| choice_type no_prompt T_EOL
	{
		build_type(ps->ld, $choice_type, @$);
	}
	| choice_type T_QUOTED if_cond T_EOL
	{
		typed_prompt(ps, $choice_type, $T_QUOTED, $if_cond, @$);
	}
	| T_DEFAULT T_WORD if_cond T_EOL
	{
		lkc_sym sym = symbol(ps, $T_WORD);

		build_default(ps->ld, build_expr_sym(ps->ld, sym), $if_cond,
			      @$);
	}
	| T_OPTIONAL T_EOL
	{
		build_optional(ps->ld, @$);
	}
	;

choice_type: T_OLD_BOOL
	{
		$$ = LKC_BOOL;
	}
	| T_OLD_TRISTATE
	{
		$$ = LKC_TRISTATE;
	}
	;

no_prompt: %empty
	{
		REFUSE(DIALECT > DIALECT_6_1, @$);
	}
	;

choice_statements: %empty
	| choice_statements comment
	| choice_statements config
	| choice_statements menuconfig
	| choice_statements source
	| choice_statements choice_if
	| choice_statements invalid
	;

choice_if: if_head choice_statements end
	{
		source_close_block(ps, $end, @end);
	}
	;

/* Asked for behind what only 4.11 allows in a choice. */
not_in_choice: %empty
	{
		REFUSE(DIALECT > DIALECT_4_11 && in_choice(ps), @0);
	}
	;

/* ---- if, menu, comment -------------------------------------------------- */

if_block: if_head statements end
	{
		source_close_block(ps, $end, @end);
	}
	;

if_head: T_IF expr T_EOL
	{
		build_if(ps->ld, $expr, @$);
		source_open_block(ps, LKC_ENTRY_IF, @$);
	}
	;

menu_block: menu statements end
	{
		source_close_block(ps, $end, @end);
	}
	;

menu: menu_head menu_options
	{
		source_open_block(ps, LKC_ENTRY_MENU, @menu_head);
	}
	;

menu_head: T_MENU T_QUOTED T_EOL
	{
		build_menu(ps->ld, parser_keep(ps, $T_QUOTED), @$);
	}
	;

menu_options: %empty
	| menu_options visible
	| menu_options depends
	;

visible: T_VISIBLE if_cond T_EOL
	{
		if ($if_cond != LKC_NONE)
			build_visible(ps->ld, $if_cond, @$);
	}
	;

comment: comment_head comment_options
	;

comment_head: T_COMMENT T_QUOTED T_EOL
	{
		build_comment(ps->ld, parser_keep(ps, $T_QUOTED), @$);
	}
	;

comment_options: %empty
	| comment_options depends
	;

/* ---- expressions -------------------------------------------------------- */

if_cond: %empty
	{
		$$ = LKC_NONE;
	}
	| T_IF expr
	{
		$$ = $expr;
	}
	;

expr: any_symbol
	{
		$$ = build_expr_sym(ps->ld, $1);
	}
	| any_symbol[a] comparison any_symbol[b]
	{
		$$ = build_expr_cmp(ps->ld, $comparison, $a, $b);
	}
	| T_OPEN_PAREN expr[e] T_CLOSE_PAREN
	{
		$$ = $e;
	}
	| T_NOT expr[e]
	{
		$$ = build_expr_not(ps->ld, $e);
	}
	| expr[a] T_OR expr[b]
	{
		$$ = build_expr_or(ps->ld, $a, $b);
	}
	| expr[a] T_AND expr[b]
	{
		$$ = build_expr_and(ps->ld, $a, $b);
	}
	;

comparison: T_EQUAL
	{
		$$ = LKC_OP_EQ;
	}
	| T_UNEQUAL
	{
		$$ = LKC_OP_NE;
	}
	| T_LESS
	{
		$$ = LKC_OP_LT;
	}
	| T_LESS_EQUAL
	{
		$$ = LKC_OP_LE;
	}
	| T_GREATER
	{
		$$ = LKC_OP_GT;
	}
	| T_GREATER_EQUAL
	{
		$$ = LKC_OP_GE;
	}
	;

any_symbol: T_WORD
	{
		$$ = symbol(ps, $1);
	}
	| T_QUOTED
	{
		$$ = constant(ps, $1);
	}
	;

%%

static lkc_sym symbol(struct parser *ps, struct text t)
{
	return build_symbol(ps->ld, t.s, t.len);
}

static lkc_sym constant(struct parser *ps, struct text t)
{
	return build_const(ps->ld, t.s, t.len);
}

/*
 * What an assignment expands at once it expands when its line is over, and so
 * $(lineno) in it is that of the next.
 */
static void assign(struct parser *ps, struct text name, struct assignment a,
		   struct span eol)
{
	eol.start = eol.end;
	preproc_assign(ps->ld->pp, parser_keep(ps, name),
		       parser_keep(ps, a.value), a.flavor, eol);
}

static void config(struct parser *ps, struct text name, bool menuconfig,
		   struct span span)
{
	ps->entry_name = name;
	build_config(ps->ld, symbol(ps, name), menuconfig, span);
}

static void choice_error(struct parser *ps, const char *text)
{
	build_diag(ps->ld, LKC_ERROR, DIAG_BAD_CHOICE, DIAG_ERROR,
		   build_entry_span(ps->ld), "%s", text);
}

/*
 * Since 6.12, a member of a choice is what it is by this entry alone, whatever
 * other entries say.
 */
static void config_end(struct parser *ps)
{
	if (ps->ld->err || DIALECT < DIALECT_6_12 || !in_choice(ps))
		return;
	if (!build_has_prompt(ps->ld) && DIALECT < DIALECT_7_2)
		choice_error(ps, "choice member must have a prompt");
	if (build_entry_type(ps->ld) != LKC_BOOL)
		choice_error(ps, "choice member must be bool");
}

/* The head of a choice is over. */
static void choice_end(struct parser *ps)
{
	if (!ps->ld->err && DIALECT >= DIALECT_6_12 &&
	    !build_has_prompt(ps->ld))
		choice_error(ps, "choice must have a prompt");
}

/* Known, and said to be, where the next statement begins. */
static void menuconfig_end(struct parser *ps, struct span next)
{
	bool fatal = DIALECT >= DIALECT_7_2;
	struct diag_place place = build_place(ps->ld->tree, next);

	if (ps->ld->err || build_has_prompt(ps->ld))
		return;
	if (DIALECT == DIALECT_6_1 && ps->last == KCONFIG_YYEOF)
		place.file = "<none>";
	diag_add(ps->ld->diags, fatal ? LKC_ERROR : LKC_WARNING,
		 DIAG_NO_PROMPT, fatal ? DIAG_ERROR : DIAG_PLACE, &place,
		 "%smenuconfig statement without prompt",
		 fatal ? "" : "warning: ");
}

static void typed_prompt(struct parser *ps, enum lkc_type type,
			 struct text prompt, lkc_expr cond, struct span span)
{
	build_prompt(ps->ld, parser_keep(ps, prompt), cond, span);
	build_type(ps->ld, type, span);
}

static bool is_blank_text(struct text t)
{
	uint32_t i;

	for (i = 0; i < t.len; i++) {
		if (!strchr(" \t\n", t.s[i]))
			return false;
	}
	return true;
}

static void help(struct parser *ps)
{
	struct text name = ps->entry_name, text;
	struct span end = lexer_help(ps, &text);
	bool fatal = DIALECT >= DIALECT_7_2;

	if (ps->ld->err)
		return;
	if (is_blank_text(text))
		build_diag(ps->ld, fatal ? LKC_ERROR : LKC_WARNING,
			   DIAG_BLANK_HELP, fatal ? DIAG_ERROR : DIAG_PLACE,
			   end, "%s'%.*s' defined with blank help text",
			   fatal ? "" : "warning: ", (int)name.len, name.s);
	build_help(ps->ld, text.s, text.len, end);
}

/* The options of 4.11; false if there is none such. */
static bool option(struct parser *ps, struct text name, struct text value,
		   struct span span)
{
	const char *s = parser_keep(ps, name);

	if (strcmp(s, "env") == 0 && value.s)
		build_option_env(ps->ld, parser_keep(ps, value), span);
	else if (strcmp(s, "modules") == 0)
		build_modules(ps->ld, span);
	else if (strcmp(s, "defconfig_list") == 0)
		build_option_defconfig_list(ps->ld, span);
	else if (strcmp(s, "allnoconfig_y") == 0)
		build_option_allnoconfig_y(ps->ld, span);
	else
		return false;
	return true;
}

/* True inside a choice, be it in an "if" there. */
static bool in_choice(const struct parser *ps)
{
	uint32_t i = ps->blocks.n;

	while (i && ps->blocks.v[i - 1].kind == LKC_ENTRY_IF)
		i--;
	return i && ps->blocks.v[i - 1].kind == LKC_ENTRY_CHOICE;
}

static void syntax_error(struct parser *ps, struct span span)
{
	struct diag_place place = build_place(ps->ld->tree, span);

	if (DIALECT == DIALECT_6_1) {
		/* it looks one line ahead, and then has no file left */
		place.line++;
		if (ps->last == KCONFIG_YYEOF)
			place.file = "<none>";
	}
	diag_add(ps->ld->diags, LKC_ERROR, DIAG_SYNTAX, DIAG_PLACE, &place,
		 "syntax error");
}

static bool refuse(struct parser *ps, struct span span, bool wrong,
		   bool recovering)
{
	if (wrong && !recovering)
		syntax_error(ps, span);
	return wrong;
}

/* What bison has to say: that there is a syntax error, or no stack left. */
static void kconfig_yyerror(const struct span *span, struct parser *ps,
			    const char *message)
{
	if (ps->ld->err)
		return;
	if (strcmp(message, "syntax error") == 0)
		syntax_error(ps, *span);
	else
		build_diag(ps->ld, LKC_ERROR, DIAG_TOO_DEEP, DIAG_PLACE, *span,
			   "%s", message);
}

static void statement_error(struct parser *ps, struct span span,
			    struct text word)
{
	if (ps->ld->err)
		return;
	if (word.s)
		build_diag(ps->ld, LKC_ERROR, DIAG_SYNTAX, DIAG_PLACE, span,
			   "unknown statement \"%.*s\"", (int)word.len,
			   word.s);
	else
		build_diag(ps->ld, LKC_ERROR, DIAG_SYNTAX, DIAG_PLACE, span,
			   "invalid statement");
	source_fault(ps, span);
}

void parse_kconfig(struct loader *ld, const char *name)
{
	struct parser ps = { .ld = ld };

	if (lexer_init(&ps))
		source_enter(&ps, name, NO_SPAN);
	else
		ld->err = LKC_ENOMEM;
	if (!ld->err && kconfig_yyparse(&ps))
		source_end(&ps);
	lexer_free(&ps);
	vec_free(&ps.blocks);
	strbuf_free(&ps.buf);
	arena_free(&ps.arena);
}
