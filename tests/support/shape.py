"""The shape of the house in a dozen lines: `PYTHONPATH=.:tests .venv/bin/python tests/support/shape.py`."""

import subprocess
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter

import grimp

from support.names import (
    PACKAGES,
    ROOT,
    definitions,
    is_bare_word,
    names_of_several_classes,
    opens_badly,
    pairs_of_like_classes,
)

FLOORS = ("app/domain", "app/db", "app/services", "scrapers", "workers", "app/api", "web", "app/cli", "app", "perf")
LINT_IMPORTS = ("-c", "from importlinter.cli import lint_imports_command as run; run()", "--config", ".importlinter")
# Their sizes grow with what they hold: tests, problems, one file a change of the schema.
_GROWING = ("tests/", "league/", "migrations/versions/")


def folders() -> Counter[str]:
    """How many files each folder of the checkout holds, those aside that grow."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    paths = [path for path in listed if path and (ROOT / path).is_file() and not path.startswith(_GROWING)]
    return Counter(path.rpartition("/")[0] for path in paths)


def circle() -> list[str]:
    """Modules that import each other in a ring; empty where there is none."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def lines() -> dict[str, int]:
    """Lines of every module of the packages."""
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").count("\n") for path in paths}


def lines_by_floor(sizes: dict[str, int]) -> dict[str, int]:
    """Lines of each floor; what lies in `app` beside its floors counts as `app`."""
    floors: Counter[str] = Counter()
    for path, count in sizes.items():
        floors[next(floor for floor in FLOORS if path.startswith(f"{floor}/"))] += count
    return {floor: floors[floor] for floor in FLOORS}


def skips_of_format(packages: tuple[str, ...]) -> int:
    """Lines that the formatter is told to leave alone."""
    paths = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    return sum(path.read_text(encoding="utf-8").count("# fmt: skip") for path in paths)


def main() -> None:
    """Print the counts that the tests of the house hold to 0, and the largest of each kind."""
    (fullest, files), sizes = folders().most_common(1)[0], lines()
    longest = max(sizes, key=lambda path: sizes[path])
    linted = subprocess.run([sys.executable, *LINT_IMPORTS], cwd=ROOT, capture_output=True, text=True, check=False)
    [contracts] = [line for line in linted.stdout.splitlines() if line.startswith("Contracts:")]
    print(f"fullest folder: {fullest}, {files} files (at most 20)")
    print(f"longest module: {longest}, {sizes[longest]} lines (at most 400)")
    print(f"modules over 400 lines: {sum(size > 400 for size in sizes.values())} of {len(sizes)}")
    print(f"arrows against the order of floors and nouns: {contracts.removeprefix('Contracts: ')}")
    print(f"circles: {' -> '.join(circle()) or 0}")
    kinds = Counter(each.kind for each in definitions())
    print(f"modules {len(sizes)}, classes {kinds['class']}, functions {kinds['function'] + kinds['value']}")
    print("lines by floor: " + ", ".join(f"{floor} {count}" for floor, count in lines_by_floor(sizes).items()))
    print(f"class names of several classes: {len(names_of_several_classes())}")
    print(f"pairs of like classes: {len(pairs_of_like_classes())}")
    print(f"names that are a bare participle or adverb: {sum(is_bare_word(each.name) for each in definitions())}")
    print(f"docstrings that open badly: {sum(opens_badly(each.docstring or '') for each in definitions())}")
    print(f"fmt: skip: {skips_of_format(PACKAGES)} in production, {skips_of_format((*PACKAGES, 'tests'))} with tests")


if __name__ == "__main__":
    main()
