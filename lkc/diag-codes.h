/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every diagnostic of liblkc: DIAG(number, identifier, name). Numbers are
 * permanent; add at the end of a group. No include guard: included to build
 * tables.
 */
/* 1..99: reading files and Kconfig text */
DIAG(1, NO_MEMORY, "no-memory")
DIAG(2, CANNOT_READ, "cannot-read")
DIAG(3, CANNOT_WRITE, "cannot-write")
DIAG(4, SYNTAX, "syntax")
DIAG(5, UNKNOWN_CHARACTER, "unknown-character")
DIAG(6, UNTERMINATED_STRING, "unterminated-string")
DIAG(7, NO_FINAL_NEWLINE, "no-final-newline")
DIAG(8, RECURSIVE_SOURCE, "recursive-source")
DIAG(9, BLOCK_ACROSS_FILES, "block-across-files")
DIAG(10, UNTERMINATED_BLOCK, "unterminated-block")
DIAG(11, TOO_DEEP, "too-deep")
DIAG(12, OLD_SYNTAX, "old-syntax")
DIAG(13, BLANK_HELP, "blank-help")
DIAG(14, REPEATED_SOURCE, "repeated-source")
/* 100..199: preprocessor */
DIAG(100, PP_SYNTAX, "macro-syntax")
DIAG(101, PP_RECURSION, "macro-recursion")
DIAG(102, PP_ARGUMENTS, "macro-arguments")
DIAG(103, PP_INFO, "macro-info")
DIAG(104, PP_WARNING, "macro-warning")
DIAG(105, PP_ERROR, "macro-error")
DIAG(106, PP_SHELL, "macro-shell")
DIAG(107, PP_NOISE, "macro-stderr")
/* 200..299: the menu tree */
DIAG(200, TYPE_REDEFINED, "type-redefined")
DIAG(201, PROMPT_REDEFINED, "prompt-redefined")
DIAG(202, PROMPT_WHITESPACE, "prompt-whitespace")
DIAG(203, NO_TYPE, "no-type")
DIAG(204, BAD_CHOICE, "bad-choice")
DIAG(205, BAD_DEFAULT, "bad-default")
DIAG(206, BAD_SELECT, "bad-select")
DIAG(207, BAD_RANGE, "bad-range")
DIAG(208, HELP_REDEFINED, "help-redefined")
DIAG(209, RECURSIVE_DEPENDENCY, "recursive-dependency")
DIAG(210, BAD_MENU, "bad-menu")
DIAG(211, UNKNOWN_DEPENDENCY, "unknown-dependency")
DIAG(212, NO_PROMPT, "no-prompt")
DIAG(213, M_TEST, "bool-tested-for-m")
/* 300..399: .config files */
DIAG(300, CONFIG_LINE, "config-line")
DIAG(301, UNKNOWN_SYMBOL, "unknown-symbol")
DIAG(302, BAD_VALUE, "bad-value")
DIAG(303, REASSIGNED, "reassigned")
DIAG(304, CHOICE_OVERRIDE, "choice-override")
/* 400..499: a configuration's values */
DIAG(400, UNMET_DEPENDENCIES, "unmet-dependencies")
DIAG(401, OUT_OF_RANGE, "out-of-range")
