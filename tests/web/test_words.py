"""Words, styles and marks: both catalogues whole, every key used and known, colours readable, nothing inline."""

import re
import string
from itertools import product
from pathlib import Path

import pytest

from app.domain.asking.completions import FinishReason
from app.domain.asking.protocols import BUILT_IN
from app.domain.boards.board import Exposure
from app.domain.boards.filters import filters
from app.domain.cube.facts import CutoffBasis
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Form, Level
from app.domain.publishing.tags import Topic
from app.domain.states import SampleState, ScrapeState
from app.services.operations.ops import QUEUES
from scrapers.site import Classification
from web.i18n import CATALOGUES, Locale, negotiate, translator

WEB = Path(__file__).resolve().parents[2] / "web"
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
# A key made of a fixed beginning and a code: t('level.' ~ each) or word(page, 'queue.', each).
PREFIX = re.compile(r"\b(?:t\(|word\(page, )'([a-z0-9_.]+\.)'(?: ~|,)")
EN, ZH = CATALOGUES[Locale.EN], CATALOGUES[Locale.ZH]


def places(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def test_both_catalogues_have_the_same_keys_and_places() -> None:
    assert set(EN) == set(ZH)
    for key, english in EN.items():
        assert places(english) == places(ZH[key]), key
        assert english.strip(), key
        assert ZH[key].strip(), key


def test_chinese_is_chinese() -> None:
    same = {key for key, english in EN.items() if english == ZH[key]}
    assert same <= {"locale.en", "locale.zh", "nav.api", "protocol.lcb", "col.score", "col.n",
                    "reading.score.term"}  # fmt: skip


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_key_of_a_template_is_in_the_catalogue(path: Path) -> None:
    source = path.read_text()
    for key in re.findall(r"\bt\('([a-z0-9_.]+)'[,)]", source):
        assert key in EN, key
    for prefix in PREFIX.findall(source):
        assert any(key.startswith(prefix) for key in EN), prefix


def test_every_key_is_used() -> None:
    code = [path for path in WEB.rglob("*.py") if path.parent.name != "i18n"]
    used = "".join(path.read_text() for path in [*TEMPLATES, *code])
    labels = {f"board.{entry.name}" for entry in filters()}
    prefixes = set(PREFIX.findall(used)) | {"error.", "window.", "protocol_title.", "preset."}
    prefixes |= {entry.words for entry in filters() if entry.words}
    for key in EN:
        stem = key if key in ("problem.one", "tag.exposed.one") else key.removesuffix(".one")
        whole = f"'{stem}'" in used or f'"{stem}"' in used or stem in labels
        assert whole or any(stem.startswith(prefix) for prefix in prefixes), key


@pytest.mark.parametrize(
    ("prefix", "values"),
    [
        ("verdict.", [*Verdict, "none"]),
        ("level.", list(Level)),
        ("level.short.", list(Level)),
        ("topic.", list(Topic)),
        ("basis.", list(CutoffBasis)),
        ("exposure.", list(Exposure)),
        ("finish.", list(FinishReason)),
        ("form.", list(Form)),
        ("checker.", list(CheckerKind)),
        ("capture.", list(Classification)),
        ("queue.", list(QUEUES)),
        ("ledger.", ["problem.added", "problem.retested", "model.added"]),
        ("sample_state.", list(SampleState)),
        ("sample.state.", list(SampleState)),
        ("scrape.", list(ScrapeState)),
        ("protocol.", [each.slug for each in BUILT_IN]),
        ("protocol_title.", [each.slug for each in BUILT_IN]),
        ("hidden.", ["model", "language", "cutoff", "exposure", "older_trial", "unjudged", "retired", "other"]),
        ("hidden.why.", ["model", "language", "cutoff", "exposure", "older_trial", "unjudged", "retired", "other"]),
        ("left_out.", ["platform", "difficulty", "window", "held", "withdrawn", "undated", "other"]),
    ],
)
def test_every_value_of_a_closed_set_has_words(prefix: str, values: list[str]) -> None:
    for value in values:
        assert f"{prefix}{value}" in EN


def test_one_is_not_many() -> None:
    t = translator(Locale.EN)
    assert t("board.problems", n=1) == "1 problem"
    assert t("board.problems", n=2) == "2 problems"
    with pytest.raises(KeyError):
        t("no.such.key")


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("", "en"), ("zh", "zh"), ("zh-TW,en;q=0.9", "zh"), ("en;q=0.4, zh;q=0.5", "zh"), ("de", "en"),
        ("zh;q=nonsense", "en"), ("zh;q=-1,en;q=0.1", "en"), (",;,;q=,", "en"), ("zh;q=0", "en"),
    ],
)  # fmt: skip
def test_negotiation(header: str, locale: str) -> None:
    assert negotiate(header) == locale


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
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", source))


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
