// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "key.h"

#define FILE_VARIABLE "KCONFIG_AGENT_KEY_FILE"
#define KEY_MAX 4096		/* bytes of such a file */

static const struct {
	const char *provider;
	const char *variable;
} variables[] = {
	{ "openai", "OPENAI_API_KEY" },
	{ "anthropic", "ANTHROPIC_API_KEY" },
	{ "ollama", "OLLAMA_API_KEY" },
};

/* Cuts @s to its first line without blanks around it. */
static void first_word(char *s)
{
	size_t skip = strspn(s, " \t\r\n");

	memmove(s, s + skip, strlen(s + skip) + 1);
	s[strcspn(s, " \t\r\n")] = '\0';
}

static int from_file(const char *path, char **key, struct strbuf *why)
{
	size_t len;
	int err = file_read(path, KEY_MAX, key, &len);

	if (err) {
		strbuf_addf(why, "%s, which " FILE_VARIABLE " names, cannot be read: %s",
			    path, strerror(-err));
		return err;
	}
	first_word(*key);
	if (**key)
		return 0;
	key_free(*key);
	*key = NULL;
	strbuf_addf(why, "%s, which " FILE_VARIABLE " names, holds no key",
		    path);
	return -EINVAL;
}

int key_get(const char *provider, char **key, struct strbuf *why)
{
	const char *path = getenv(FILE_VARIABLE);
	size_t i;

	*key = NULL;
	for (i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value;

		if (!provider || strcmp(provider, variables[i].provider) != 0)
			continue;
		if (path && *path)
			return from_file(path, key, why);
		value = getenv(variables[i].variable);
		if (!value || !*value)
			return 0;
		*key = strdup(value);
		return *key ? 0 : -ENOMEM;
	}
	return 0;
}

void key_free(char *key)
{
	if (key)
		explicit_bzero(key, strlen(key));
	free(key);
}
