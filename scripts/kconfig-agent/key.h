/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * key - the secret that a provider wants
 *
 * A key comes from the file that KCONFIG_AGENT_KEY_FILE names, else from the
 * provider's own variable of the environment. It is not printed, not written to
 * any file, and not passed to any program.
 */
#ifndef KA_KEY_H
#define KA_KEY_H

struct strbuf;

/*
 * Gets the key for @provider (NULL: the default one) into *@key, to be freed
 * with key_free(); NULL if there is none. Returns 0, or a negative errno with
 * the reason in @why.
 */
int key_get(const char *provider, char **key, struct strbuf *why);
/* Wipes and frees it. NULL is fine. */
void key_free(char *key);

#endif
