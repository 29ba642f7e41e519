"""A part of the house league, for installations of which a test asks no more than that they play."""

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

LEAGUE = Path(__file__).resolve().parents[2] / "league"
_ALWAYS = "sealed-box"  # no contest's
_PROOFS, _BUILT = "proofs.json", "items.json"
_ITEMS = ("coco.toml", "bigcode.toml")


def small_league(
    folder: Path, kept: Mapping[str, Sequence[str]], *, items: Sequence[str] = (), models: Sequence[str] = ()
) -> Path:
    """Write a league of these contests, each with these of its problems (all where none is named), and these `items`.

    It is played by these `models`, by all where none is named.
    """
    ignored = shutil.ignore_patterns("__pycache__")
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
            shutil.copytree(LEAGUE / slug, folder / slug, ignore=ignored)
    shutil.copytree(LEAGUE / _ALWAYS, folder / _ALWAYS, ignore=ignored)
    (folder / "league.toml").write_text("\n".join(parts), encoding="utf-8")
    for name in (_PROOFS, *([_BUILT] if items else [])):
        shutil.copy(LEAGUE / name, folder)
    _write_part(folder, "models.toml", "model", "slug", models)
    for name in _ITEMS if items else ():
        _write_part(folder, name, "item", "task_id", items)
    return folder


def _write_part(folder: Path, file: str, table: str, key: str, names: Sequence[str]) -> None:
    """The file of the league with those of its tables alone that are named so, with all where none is named."""
    mark = f"[[{table}]]"
    head, *tables = LEAGUE.joinpath(file).read_text(encoding="utf-8").split(mark)
    own = [each for each in tables if not names or tomllib.loads(each)[key] in names]
    folder.joinpath(file).write_text(mark.join([head, *own]), encoding="utf-8")
