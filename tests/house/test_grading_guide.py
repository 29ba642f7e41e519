"""docs/grading.md says what a verdict depends on: every sentence of it has a test (grading_guide.toml)."""

import re
import tomllib
from pathlib import Path

import pytest
from support.rules import ROOT

TABLE = Path(__file__).with_name("grading_guide.toml")
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_ITEM = re.compile(r"(?:^|\n)[-*] ")
_END = re.compile(r"(?<=[.!?]) (?=[A-Zn`*{])")  # null begins one


def sentences(text: str) -> list[str]:
    """Its sentences and rows of tables, without headings and code."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", _CODE.sub("", text)):
        lines = block.strip().split("\n")
        if lines[0].startswith("|"):
            found += lines[2:]
        elif not lines[0].startswith("#"):
            found += [part for item in _ITEM.split(block) for part in _END.split(" ".join(item.split())) if part]
    return found


SENTENCES = sentences((ROOT / "docs" / "grading.md").read_text(encoding="utf-8"))
TESTS: dict[str, list[str]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["tests"]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_has_its_test(sentence: str) -> None:
    [names] = [names for beginning, names in TESTS.items() if sentence.startswith(beginning)]
    for name in names:
        file, _, test = name.partition("::")
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert f"def {test}(" in source, name


def test_every_entry_is_about_a_sentence() -> None:
    assert [entry for entry in TESTS if not any(sentence.startswith(entry) for sentence in SENTENCES)] == []
