"""Words, styles and marks: catalogues whole, every key used and known, colours readable, nothing inline."""

import re
from itertools import product
from pathlib import Path

import pytest
from support.words import faults, unknown, unused, uses

from app.domain.asking.completions import FinishReason
from app.domain.boards.board import Exposure, Rules
from app.domain.boards.findings import FindingCode
from app.domain.boards.opening_window import PRESET_DAYS
from app.domain.consensus.answers import SetterRole
from app.domain.cube.facts import CutoffBasis
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Form, Level, TestsOrigin
from app.domain.publishing.tags import Topic
from app.domain.scenarios import shipped_protocols
from app.domain.sources.contest_progress import ContestStep
from app.domain.sources.records import Classification
from app.domain.states import RunState, SampleState, ScrapeState
from app.services.operations.health_views import QUEUES
from web.board_page.tabs import TABS
from web.i18n import ENGLISH, FOLDER, Locale, catalogue, locales, negotiate_locale, translator

WEB = Path(__file__).resolve().parents[2] / "web"
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
# The files of filters, columns and reasons name the keys of their words, too.
DOMAIN = WEB.parent / "app" / "domain"
DECLARED = [path for name in ("filters", "columns") for path in (DOMAIN / "boards" / name).glob("*.py")]
PYTHON = sorted([*WEB.rglob("*.py"), *DECLARED, DOMAIN / "sentences.py"])
EN, ZH = catalogue(ENGLISH).messages, catalogue(Locale("zh")).messages


@pytest.mark.parametrize("locale", locales())
def test_a_catalogue_is_whole(locale: Locale) -> None:
    assert faults(FOLDER / f"{locale}.po", FOLDER / "en.po") == []


HEADER = 'msgid ""\nmsgstr "Language: {}\\nPlural-Forms: {}\\n"\n\n'
ENGLISH_HEADER = HEADER.format("en", "nplurals=2; plural=(n != 1);")
CHINESE_HEADER = HEADER.format("zh_Hans", "nplurals=1; plural=0;")
TEMPLATE = """
msgctxt "a.title"
msgid "Title"
msgstr ""

msgctxt "a.count"
msgid "{n} problem of {source}"
msgid_plural "{n} problems of {source}"
msgstr[0] ""
msgstr[1] ""
"""
GOOD = """
msgctxt "a.title"
msgid "Title"
msgstr "标题"

msgctxt "a.count"
msgid "{n} problem of {source}"
msgid_plural "{n} problems of {source}"
msgstr[0] "{source} 的 {n} 道题"
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("", "", None),
        ('msgstr "标题"', 'msgstr ""', "a.title: empty"),
        ('msgstr "标题"', 'msgstr "  "', "a.title: empty"),
        ('msgstr[0] "{source} 的 {n} 道题"', 'msgstr[0] ""', "a.count: empty"),
        ('msgctxt "a.title"\nmsgid "Title"\nmsgstr "标题"\n', "", "a.title: missing"),
        ('msgctxt "a.title"', '#, fuzzy\nmsgctxt "a.title"', "a.title: fuzzy"),
        ('msgctxt "a.title"', 'msgctxt "a.old"\nmsgid "Old"\nmsgstr "旧"\n\nmsgctxt "a.title"', "a.old: unused"),
        ('msgctxt "a.title"', '#~ msgid "Old"\n#~ msgstr "旧"\n\nmsgctxt "a.title"', "Old: unused"),
        ('msgctxt "a.title"', 'msgid "No key"\nmsgstr "无"\n\nmsgctxt "a.title"', ": no key for 'No key'"),
        ('msgid "Title"', 'msgid "Titel"', "a.title: another English sentence"),
        ("{source} 的", "{sources} 的", "a.count: other placeholders"),
        ("{source} 的", "的", "a.count: other placeholders"),
        ('"标题"', '"{n} 标题"', "a.title: other placeholders"),
        ('msgctxt "a.count"', 'msgctxt "a.title"\nmsgid "Again"\nmsgstr "又"\n\nmsgctxt "a.count"',
         "a.title: stands here 2 times"),
    ],
)  # fmt: skip
def test_a_broken_catalogue_is_found_out(tmp_path: Path, old: str, new: str, fault: str | None) -> None:
    template, chinese = tmp_path / "en.po", tmp_path / "zh.po"
    template.write_text(ENGLISH_HEADER + TEMPLATE)
    assert old in GOOD
    chinese.write_text(CHINESE_HEADER + GOOD.replace(old, new, 1))
    lines = faults(chinese, template)
    assert lines == [] if fault is None else fault in lines


def test_a_broken_template_or_header_is_found_out(tmp_path: Path) -> None:
    template = tmp_path / "en.po"
    template.write_text(ENGLISH_HEADER + TEMPLATE.replace('msgstr ""', 'msgstr "Title"').replace("{n} problem ", "A "))
    assert faults(template, template) == [
        "a.count: other placeholders", "a.title: English is the msgid, and the msgstr stays empty",
    ]  # fmt: skip
    chinese = tmp_path / "zh.po"
    chinese.write_text(ENGLISH_HEADER.replace("(n != 1)", "0") + GOOD)
    assert any("Plural-Forms" in line for line in faults(chinese, template))


def test_every_key_is_known_and_every_known_key_is_used() -> None:
    named = uses([*TEMPLATES, *PYTHON])
    assert unknown(named, dict(EN)) == []
    assert unused(named, EN) == []


def test_unknown_and_unused_keys_are_found_out(tmp_path: Path) -> None:
    page, code = tmp_path / "page.html", tmp_path / "code.py"
    page.write_text(
        "{{ t('a.title') }} {{ t('a.gone' if x else 'a.title') }} {{ t('b.' ~ y) }} {{ word(page, 'c.', z) }}"
        "{{ t('a.count', n=1) }} {{ t('d.' ~ y, n=1) }} {{ page.knows('e.title') }}"
    )
    code.write_text('page.t("a.lost")\npage.t(f"b.{x}.long")\nWORDS = {"f.title": 1}\n')
    messages = dict.fromkeys(("a.title", "d.one", "f.title", "g.title"), ("Text",))
    named = uses([page, code])
    assert unknown(named, {**messages, "a.count": ("{n} problem of {source}", "{n} problems of {source}")}) == [
        "page.html:1: no words for a.gone", "page.html:1: no words for b\\..+", "page.html:1: no words for c\\..+",
        "page.html:1: a.count needs source", "page.html:1: no words for e.title",
        "code.py:1: no words for a.lost", "code.py:2: no words for b\\..+\\.long",
    ]  # fmt: skip
    assert unused(named, messages) == ["g.title"]


def test_chinese_is_chinese() -> None:
    same = {key for key, english in EN.items() if english == ZH[key]}
    names = {"nav.api", "protocol.lcb", "col.score", "col.pass_at", "col.n", "reading.score.term"}
    assert same <= names | {"reason.text"}


@pytest.mark.parametrize(
    ("prefix", "values"),
    [
        ("verdict.", [*Verdict, "none"]),
        ("finding.", [code for code in FindingCode if code is not FindingCode.EMPTY]),
        ("rules.", list(Rules)),
        ("preset.", [*PRESET_DAYS, "all"]),
        ("tab.", [tab.name for tab in TABS]),
        ("unranked.", ["configurations", "provisional", "exposed", "unscored"]),
        ("opened.none.", ["configurations", "provisional", "exposed", "unscored"]),
        ("tests_origin.all.", list(TestsOrigin)),
        ("level.", list(Level)),
        ("level.short.", list(Level)),
        ("topic.", list(Topic)),
        ("role.", list(SetterRole)),
        ("basis.", list(CutoffBasis)),
        ("exposure.", list(Exposure)),
        ("tests_origin.", list(TestsOrigin)),
        ("tests_how.", list(TestsOrigin)),
        ("step.", list(ContestStep)),
        ("finish.", list(FinishReason)),
        ("form.", list(Form)),
        ("checker.", list(CheckerKind)),
        ("capture.", list(Classification)),
        ("queue.", list(QUEUES)),
        ("ledger.", ["problem.added", "problem.retested", "model.added", "methods.changed"]),
        ("sample_state.", list(SampleState)),
        ("sample.state.", list(SampleState)),
        ("scrape.", list(ScrapeState)),
        ("protocol.", list(shipped_protocols())),
        ("protocol_title.", list(shipped_protocols())),
        ("hidden.", ["model", "language", "cutoff", "exposure", "older_trial", "unjudged", "retired", "other"]),
        ("hidden.why.", ["model", "language", "cutoff", "exposure", "older_trial", "unjudged", "retired", "other"]),
        ("left_out.", ["platform", "difficulty", "window", "held", "withdrawn", "undated", "other"]),
    ],
)
def test_every_value_of_a_closed_set_has_words(prefix: str, values: list[str]) -> None:
    for value in values:
        assert f"{prefix}{value}" in EN


def test_what_is_done_has_words_in_the_audit_log() -> None:
    calls = [
        call for path in (WEB.parent / "app").rglob("*.py") for call in path.read_text().split("logs.write_audit(")[1:]
    ]
    found = [re.match(r'[^()]*?"([a-z_]+[.][a-z_]+)"', call) for call in calls]
    actions = {match[1] for match in found if match is not None and not match[1].startswith("import.")}
    assert len(actions) > 20
    assert sorted(action for action in actions if f"audit.{action}" not in EN) == []
    assert {f"audit.run.{state}" for state in (RunState.PAUSED, RunState.RETIRED)} <= set(EN)


def test_words_have_singular_and_plural_and_need_their_values() -> None:
    t, chinese = translator(ENGLISH), translator(Locale("zh"))
    assert t("board.problems", n=1) == "1 problem"
    assert [t("board.problems", n=n) for n in (0, 2)] == ["0 problems", "2 problems"]
    assert [chinese("board.problems", n=n) for n in (1, 2)] == ["1 道题", "2 道题"]
    for missing in ({}, {"m": 1}):
        with pytest.raises(KeyError):
            t("board.problems", **missing)
    with pytest.raises(KeyError):
        t("no.such.key")


def test_a_locale_is_a_catalogue() -> None:
    assert [(locale, locale.tag, locale.own_name) for locale in locales()] == [
        ("en", "en", "English"), ("zh", "zh-Hans", "中文"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("", "en"), ("zh", "zh"), ("zh-TW,en;q=0.9", "zh"), ("en;q=0.4, zh;q=0.5", "zh"), ("de", "en"),
        ("zh;q=nonsense", "en"), ("zh;q=-1,en;q=0.1", "en"), (",;,;q=,", "en"), ("zh;q=0", "en"),
    ],
)  # fmt: skip
def test_language_is_chosen_by_accept_language(header: str, locale: str) -> None:
    assert negotiate_locale(header) == locale


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_nothing_is_inline_or_marked_safe(path: Path) -> None:
    source = path.read_text()
    for banned in (
        " style=",
        "<style",
        "|safe",
        "| safe",
        "autoescape",
        "javascript:",
        "http://",
        "https://",
        "Markup",
    ):
        assert banned not in source, banned
    assert not re.search(r"\son[a-z]+=", source)
    data = 'type="application/ld+json"'  # a block of data, which no browser runs
    assert all("src=" in tag or data in tag for tag in re.findall(r"<script[^>]*>", source))


def _tokens() -> dict[str, tuple[str, str]]:
    source = (WEB / "static/css/tokens.css").read_text()
    found = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", source)
    return {name: (light, dark) for name, light, dark in found}


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *product(("ink", "muted", "sea", "amber", "danger", "info"), ("paper", "raised")),
        ("amber", "amber-weak"), ("ink", "amber-weak"), ("sea", "sea-weak"), ("ink", "sea-weak"), ("sea", "amber-weak"),
    ],
)  # fmt: skip
def test_text_can_be_read_on_its_ground(text: str, ground: str, mode: int) -> None:
    tokens = _tokens()
    high, low = sorted((_luminance(tokens[text][mode]), _luminance(tokens[ground][mode])), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5
