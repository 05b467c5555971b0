# SPDX-License-Identifier: GPL-2.0-only
"""How kconfig-agent shows what is wrong in a Kconfig file."""


def test_place_line_and_caret(site):
    site.kconfig('config A\n\tbool "a"\n\nconfig BAD\n\tbool "bad"\n'
                 '\tdepends on (A &&\n\nconfig WORSE\n\tbogus\n')
    done = site.call("show", "A")
    assert done.status == 2
    lines = done.err.splitlines()
    at = [i for i, line in enumerate(lines) if "syntax error" in line]
    assert len(at) == 2, done.err
    text = (site.root / "Kconfig").read_text().splitlines()
    for i in at:
        place, source, caret = lines[i:i + 3]
        rest = place[place.index("/Kconfig:") + len("/Kconfig:"):]
        number, column = map(int, rest.split(":")[:2])
        assert ": error: " in place
        assert source.strip() == text[number - 1].strip()
        assert caret == " " * (1 + column) + "^"
    assert "depends on (A &&" in lines[at[0] + 1]
    assert "bogus" in lines[at[1] + 1]


def test_what_stands_there_is_harmless(site):
    site.kconfig("config A\n\tbool \x1b[31mred\x07 " + "\u00e4" * 400 + "\n")
    done = site.call("show", "A")
    assert done.status == 2
    assert "\x1b" not in done.err and "\x07" not in done.err
    assert max(map(len, done.err.splitlines())) < 400
