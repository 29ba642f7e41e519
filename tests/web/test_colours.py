"""Programs as pages show them: told apart by colour, unchanged, and in time linear in their length."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.work import little_work

from web.highlighting import highlight, token_pattern
from workers.grading.toolchains import known_languages

LANGUAGES = sorted(known_languages())
# Languages whose comments and texts are written alike are read alike: one of each kind takes as long as the others.
ONE_OF_EACH = sorted({token_pattern(language): language for language in reversed(LANGUAGES)}.values())
# Texts on which lexers look for the end of something again and again.
COSTLY = (
    "  \n", "a\n", "x ", "a.", "/**/", "/* ", "// ", "#", "#\n", "#if 0\n", '"', "'", "`", '"""', "'''", '"""a"', "\\",
    '"\\', "'\\", "1'", "0.", "class ", "{{", "template<", "a::", "$",
)  # fmt: skip


def kinds(program: str, language: str) -> list[tuple[str, str]]:
    found = re.findall(r'<span class="(\w)">([^<]*)</span>', highlight(program, language))
    return [(kind, unescape(text)) for kind, text in found]


@pytest.mark.parametrize("language", ONE_OF_EACH)
def test_no_program_keeps_the_site_busy(language: str) -> None:
    with little_work():
        for piece in COSTLY:
            highlight("x" + piece * (40_000 // len(piece)), language)


@given(st.text(st.sampled_from("ab1 \n\t\\/*#'\"`<>&.\u00e9\0")), st.sampled_from([*LANGUAGES, "other"]))
def test_every_character_is_shown_and_none_is_markup(program: str, language: str) -> None:
    html = str(highlight(program, language))
    plain = re.sub(r'</?pre>|<span class="[kscmd]">|</span>', "", html)
    assert "<" not in plain
    assert unescape(plain.replace("\0", "\ue000")) == program.replace("\0", "\ue000")


def test_keywords_strings_numbers_and_comments_are_highlighted() -> None:
    assert kinds('def f(x):  # "no"\n    return "a # b" + 1.5', "python") == [
        ("k", "def"), ("d", "f"), ("c", '# "no"'), ("k", "return"), ("s", '"a # b"'), ("m", "1.5"),
    ]  # fmt: skip
    assert kinds("s = '''a\n\"b\"'''\nclass A: pass", "python") == [
        ("s", "'''a\n\"b\"'''"), ("k", "class"), ("d", "A"), ("k", "pass"),
    ]  # fmt: skip
    assert kinds("for i in range(type(x)): match = self.end", "pypy") == [("k", "for"), ("k", "in")]
    assert kinds("for i := range x", "go") == [("k", "for"), ("k", "range")]
    assert kinds("#include <x>\nint a = 1'000; /* b\nc */ char d = '\\''; // e", "cpp") == [
        ("c", "#include <x>"), ("k", "int"), ("m", "1'000"), ("c", "/* b\nc */"), ("k", "char"), ("s", "'\\''"),
        ("c", "// e"),
    ]  # fmt: skip
    assert kinds("fn f<'a>(x: &'a str) -> char { 'b' }", "rust") == [
        ("k", "fn"), ("d", "f"), ("k", "char"), ("s", "'b'"),
    ]  # fmt: skip
    assert kinds("let a = `b\nc`", "javascript") == [("k", "let"), ("s", "`b\nc`")]


def test_what_is_not_closed_ends_with_its_line_or_the_program() -> None:
    assert kinds('a = "b\nc = 1', "python") == [("s", '"b'), ("m", "1")]
    assert kinds("/* a\nb = 1", "cpp") == [("c", "/* a\nb = 1")]


def test_a_language_that_is_not_known_is_shown_plain() -> None:
    assert highlight("def <f>", "other") == "<pre>def &lt;f&gt;</pre>"
