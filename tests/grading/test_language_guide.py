"""The language that the guide writes down, found and judged as soon as its file is there."""

from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import QUICK, Passed, sums
from support.snippets import plug_in, plugged

from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.toolchains import known_languages

RIGHT = "my ($a, $b) = split ' ', <STDIN>; print $a + $b, \"\\n\";\n"


@pytest.mark.sandbox
def test_a_new_language_is_one_file(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    assert "perl" not in known_languages()
    with plugged(plug_in("adding-a-language.md"), tmp_path):
        judge = Passed(settings, judge)
        judge.find("perl")
        assert judge.languages()["perl"].startswith("v5")
        assert judge.grade(sums(), RIGHT, "perl").verdict is Verdict.ACCEPTED
        assert judge.grade(sums(), RIGHT.replace("+", "-"), "perl").verdict is Verdict.WRONG_ANSWER
        assert (
            judge.grade(sums(limits=replace(QUICK, time_ms=150)), "while (1) {}\n", "perl").verdict
            is Verdict.TIME_LIMIT
        )
        assert judge.grade(sums(), "die;\n", "perl").verdict is Verdict.RUNTIME_ERROR
