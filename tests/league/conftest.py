"""The league in this checkout, copies of it to break, and a judge for the tests that run programs."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.files import READ_AT
from support.sandboxes import sandbox_root

from scrapers.suites.house import League, load_league
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings

LEAGUE = Path(__file__).resolve().parents[2] / "league"


@pytest.fixture(scope="session")
def league() -> League:
    """The house league as it is shipped."""
    return load_league(LEAGUE, READ_AT)


@pytest.fixture
def small_league(tmp_path: Path) -> Callable[..., Path]:
    """Makes a league of one contest in a temporary folder, out of shipped problems without what takes long to judge."""
    left_out = shutil.ignore_patterns("__pycache__", "wrong_slow*", "ref_3.cpp")

    def make(*slugs: str) -> Path:
        folder = tmp_path / "league"
        folder.mkdir()
        for slug in slugs:
            shutil.copytree(LEAGUE / slug, folder / slug, ignore=left_out)
        shutil.copy(LEAGUE / "models.toml", folder)
        names = ", ".join(f'"{slug}"' for slug in slugs if slug != "sealed-box")
        (folder / "league.toml").write_text(
            '[[contest]]\nslug = "one"\ntitle_en = "One"\ntitle_zh = "一"\n'
            f"starts_at = 2026-01-10T12:00:00Z\nduration_min = 90\nproblems = [{names}]\n",
            encoding="utf-8",
        )
        return folder

    return make


@pytest.fixture(scope="session")
def judge_settings(tmp_path_factory: pytest.TempPathFactory) -> JudgeSettings:
    """The judge's, with temporary files of this room's own."""
    return JudgeSettings(sandbox_root(), tmp_path_factory.mktemp("scratch"))


@pytest.fixture(scope="session")
def judge(judge_settings: JudgeSettings) -> AnsweringJudge:
    """A judge that has passed its self-test."""
    made = AnsweringJudge(judge_settings)
    made.self_test()
    return made
