"""A part of the house league, for installations of which a test asks no more than that they play."""

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

LEAGUE = Path(__file__).resolve().parents[2] / "league"
_ALWAYS = "sealed-box"  # no contest's
_ITEMS = ("coco.toml", "bigcode.toml", "items.json")


def small_league(
    folder: Path, kept: Mapping[str, Sequence[str]], *, items: bool = True, models: Sequence[str] = ()
) -> Path:
    """Write a league of these contests, each with these of its problems (all where none is named).

    `items`: with its items. It is played by these `models`, by all where none is named.
    """
    folder.mkdir(exist_ok=True)
    parts = []
    for text in LEAGUE.joinpath("league.toml").read_text(encoding="utf-8").split("[[contest]]")[1:]:
        contest = tomllib.loads(text)
        if contest["slug"] not in kept:
            continue
        own = list(kept[contest["slug"]] or contest["problems"])
        lines = [line for line in text.splitlines() if not line.startswith("problems =")]
        parts.append("\n".join(["[[contest]]", *lines, f"problems = {own!r}".replace("'", '"'), ""]))
        for slug in own:
            shutil.copytree(LEAGUE / slug, folder / slug, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(LEAGUE / _ALWAYS, folder / _ALWAYS, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "league.toml").write_text("\n".join(parts), encoding="utf-8")
    for file in LEAGUE.iterdir():
        if file.is_file() and file.name not in ("league.toml", *(() if items else _ITEMS)):
            shutil.copy(file, folder)
    if models:
        head, *tables = (LEAGUE / "models.toml").read_text(encoding="utf-8").split("[[model]]")
        own = [table for table in tables if tomllib.loads(table)["slug"] in models]
        (folder / "models.toml").write_text("[[model]]".join([head, *own]), encoding="utf-8")
    return folder
