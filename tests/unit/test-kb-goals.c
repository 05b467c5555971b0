// SPDX-License-Identifier: GPL-2.0-only
/*
 * What goals, in the words of ordinary people, match in the built-in base.
 */
#include "fixture.h"

#include "base/strbuf.h"
#include "kb.h"

/*
 * Topics that match, in order of their ids, and after a minus those that the
 * goal names only to exclude them.
 */
static const struct goal {
	const char *text, *topics;
} goals[] = {
	{ "hardened docker host for postgres on a kvm guest",
	  "container-host database hardening kvm-guest" },
	{ "I want to record guitar with Ardour without dropouts",
	  "low-latency" },
	{ "kernel for my ThinkPad, long battery life please", "laptop" },
	{ "home router with wireguard and fibre over PPPoE", "router" },
	{ "Kubernetes worker nodes on Debian", "container-host systemd" },
	{ "nginx reverse proxy in a cloud VM", "kvm-guest web-server" },
	{ "a box that runs twenty virtual machines under libvirt", "kvm-host" },
	{ "MariaDB, bare metal, 2 sockets", "database" },
	{ "NAS with mdadm RAID 6, LUKS and Samba", "file-server" },
	{ "smallest possible kernel for an IoT sensor", "tiny" },
	{ "find out why the machine panics; kdump must work", "debugging" },
	{ "bpftrace and perf on production servers", "tracing-bpf" },
	{ "CNC milling, worst-case latency below 50 us", "real-time" },
	{ "target for syzkaller, with KASAN", "bug-hunting" },
	{ "Firecracker microVM for short functions", "kvm-guest" },
	{ "a host for KVM guests with GPU passthrough", "kvm-host" },
	{ "redis and haproxy on ubuntu", "database systemd web-server" },
	{ "rootless podman for developers", "container-host" },
	{ "paranoid jump host", "hardening hardening-strict" },
	{ "web server with maximum security",
	  "hardening hardening-strict web-server" },
	{ "postgres in a VM", "database kvm-guest" },
	{ "host for a few VMs", "kvm-host" },
	{ "a small server for files and backups", "file-server" },
	{ "real-time audio", "low-latency" },

	/* negated */
	{ "gaming desktop, no virtualization, no containers",
	  "low-latency - container-host kvm-host" },
	{ "secure bastion host without debugging", "hardening - debugging" },
	{ "firewall appliance, hardened, no docker or kubernetes",
	  "hardening router - container-host" },
	{ "debugging is not needed, just a web server",
	  "web-server - debugging" },
	{ "not only containers but also virtual machines",
	  "container-host kvm-host" },
	{ "laptop; I don\xe2\x80\x99t use docker, podman or lxc",
	  "laptop - container-host" },
	{ "runs on kvm, is not a kvm host", "kvm-guest - kvm-host" },
	{ "no debugging", "- debugging" },

	/* nothing */
	{ "", "" },
	{ "support for my webcam", "" },
	{ "machine learning with CUDA", "" },
	{ "make it boot faster", "" },
	{ "amateur radio in the field", "" },
	{ "compile the kernel for arm64", "" },
};

/* The topics that @goal matches, as in the table above. */
static void matched(const struct kb *kb, const char *goal, struct strbuf *out)
{
	struct kb_plan *p;

	assert_int_equal(kb_plan_make(kb, goal, "6.12", "x86", &p), 0);
	strbuf_reset(out);
	for (size_t i = 0; i < kb_plan_matches(p); i++)
		strbuf_addf(out, "%s%s", out->len ? " " : "",
			    kb_plan_match(p, i)->topic->id);
	for (size_t i = 0; i < kb_plan_excluded(p); i++)
		strbuf_addf(out, "%s%s%s", out->len ? " " : "",
			    i ? "" : "- ", kb_plan_exclusion(p, i)->topic->id);
	kb_plan_free(p);
}

static void load(struct kb **kb)
{
	struct strbuf why = { 0 };

	if (kb_load(NULL, kb, &why))
		fail_msg("%s", strbuf_str(&why));
	strbuf_free(&why);
}

static void test_goals(void **state)
{
	struct strbuf out = { 0 };
	struct kb *kb = NULL;
	bool ok = true;

	(void)state;
	load(&kb);
	for (size_t i = 0; i < sizeof(goals) / sizeof(*goals); i++) {
		matched(kb, goals[i].text, &out);
		if (!strcmp(strbuf_str(&out), goals[i].topics))
			continue;
		print_error("\"%s\" matches \"%s\" and not \"%s\"\n",
			    goals[i].text, strbuf_str(&out), goals[i].topics);
		ok = false;
	}
	assert_true(ok);
	strbuf_free(&out);
	kb_free(kb);
}

/* The goal "word" as it stands, with more text around it. */
static const struct phrase {
	const char *match, *goal, *word;
} phrases[] = {
	{ "hardened", "Hardening!", "Hardening" },
	{ "trace", "with tracing of", "tracing" },
	{ "libraries", "a library", "library" },
	{ "debug", "Debugging:", "Debugging" },
	{ "low-latency", "the low latency desktop", "low latency" },
	{ "\"low latency\"", "low-latency", "low-latency" },
	{ "\"host guest\"", "host for 20 guests", "host for 20 guests" },
	{ "\"host guest\"", "host, guest", NULL },
	{ "\"host guest\"", "host guests", "host guests" },
	{ "\"host guest\"", "host of big guests", NULL },
	{ "\"for guest\"", "for the guest", "for the guest" },
	{ "=guests", "a guest", NULL },
	{ "=guests", "Guests", "Guests" },
	{ "io_uring", "io-uring and", "io-uring" },
	{ "us", "use", NULL },
	{ "buses", "a bus", "bus" },
	{ "nfs", "nf", NULL },
	{ "\xc3\xbc" "ber", "\xe2\x80\x9c\xc3\xbc" "ber\xe2\x80\x9d",
	  "\xc3\xbc" "ber" },
	{ "docker", "dockerd", NULL },
	{ "docker", "[docker]", "docker" },
	{ "\"\" x", "x", "x" },
};

static void test_phrases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(phrases) / sizeof(*phrases); i++) {
		struct strbuf text = { 0 }, why = { 0 };
		const char *word = NULL;
		struct kb_plan *p;
		struct kb *kb;

		strbuf_addf(&text, "# Topic: t\n# Match: %s\n# Source: s\n",
			    phrases[i].match);
		assert_int_equal(kb_load_text("t", text.s, text.len, &kb,
					      &why), 0);
		assert_int_equal(kb_plan_make(kb, phrases[i].goal, NULL, NULL,
					      &p), 0);
		if (kb_plan_matches(p))
			word = kb_plan_match(p, 0)->word;
		if (!word != !phrases[i].word ||
		    (word && strcmp(word, phrases[i].word) != 0))
			fail_msg("case %zu: %s", i, word ? word : "(none)");
		kb_plan_free(p);
		kb_free(kb);
		strbuf_free(&text);
		strbuf_free(&why);
	}
}

/* Long and wild goals end soon and in peace. */
static void test_wild(void **state)
{
	static const char *const pieces[] = {
		"no a, ", "kvm guest ", "without, ", "\xff\xfe", "docker's ",
		"\xe2\x80", "not needed ", "((((", "\n\n- ", "x", "and off ",
	};
	struct strbuf goal = { 0 }, out = { 0 };
	struct kb *kb = NULL;
	uint32_t seed = 1;

	(void)state;
	load(&kb);
	while (goal.len < 200000) {
		seed = seed * 1664525 + 1013904223;
		strbuf_addstr(&goal, pieces[(seed >> 16) % 11]);
	}
	matched(kb, strbuf_str(&goal), &out);
	for (size_t cut = 0; cut < 300; cut++) {
		strbuf_truncate(&goal, 300 - cut);
		matched(kb, strbuf_str(&goal), &out);
	}
	strbuf_free(&goal);
	strbuf_free(&out);
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goals),
		cmocka_unit_test(test_phrases),
		cmocka_unit_test(test_wild),
	};

	return cmocka_run_group_tests_name("kb-goals", tests, NULL, NULL);
}
