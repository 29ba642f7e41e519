"""The lines this house stands on (named_lines.toml): with any of them broken, a test of its room fails.

That was shown for each (named_lines.json). What has changed since, and one line in twelve, is shown again in every run.
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest
from support.broken_trees import BrokenTree
from support.proven import digest_of, files_of, is_due, read, record
from support.servers import Servers

TABLE = Path(__file__).with_name("named_lines.toml")
PROVEN = TABLE.with_suffix(".json")
ONE_IN = 12
SHORT = 1 / 15  # of a patience that is for a busy machine: what a broken line prevents never comes


@dataclass(frozen=True, slots=True)
class NamedLine:
    """A line, what breaks it, and the tests of which one must then fail."""

    name: str
    file: str
    old: str
    new: str
    tests: list[str]
    sandbox: bool = False


LINES = [NamedLine(**line) for line in tomllib.loads(TABLE.read_text(encoding="utf-8"))["line"]]


def _digest(line: NamedLine) -> str:
    """Of the line, its file, and its tests with what they are made with."""
    tests = {test.partition("::")[0] for test in line.tests}
    return digest_of([json.dumps(asdict(line))], {line.file}.union(*map(files_of, tests)))


DIGESTS = {line.name: _digest(line) for line in LINES}


def _marked(line: NamedLine, proven: dict[str, str]) -> list[pytest.MarkDecorator]:
    due = is_due(line.name, DIGESTS[line.name], proven, ONE_IN)
    return [mark for mark, is_so in ((pytest.mark.sandbox, line.sandbox), (pytest.mark.slow, not due)) if is_so]


TRIED = [
    pytest.param(line, id=line.name, marks=marks)
    for line, marks in ((line, _marked(line, read(PROVEN))) for line in LINES)
]


@pytest.fixture(scope="module")
def tree(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokenTree]:
    broken = BrokenTree(tmp_path_factory.mktemp("named_lines"), servers.folder, {line.file for line in LINES})
    yield broken
    broken.close()


@pytest.fixture(scope="module")
def shown() -> Iterator[dict[str, str]]:
    """What was shown in this run."""
    now: dict[str, str] = {}
    yield now
    record(PROVEN, now, DIGESTS)


def _shown(*, sandbox: bool) -> list[str]:
    """One test of each room, and one in a sandbox, which is the same in all rooms."""
    named = [test for line in LINES if line.sandbox is sandbox for test in line.tests]
    return named[:1] if sandbox else sorted({Path(test).parent: test for test in reversed(named)}.values())


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "sandbox", [pytest.param(False, id="plain"), pytest.param(True, id="sandbox", marks=pytest.mark.sandbox)]
)
def test_unbroken_the_rooms_tests_are_green_in_the_tree(tree: BrokenTree, sandbox: bool) -> None:
    """All are run in the checkout; that the tree, which is the same files, runs them is shown by one of each room."""
    tests = _shown(sandbox=sandbox)
    outcome = tree.run(tests, patience=1.0)
    assert not outcome.errors, outcome.output
    assert not outcome.failed, outcome.output
    assert outcome.passed >= len(tests)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("line", TRIED)
def test_a_broken_line_turns_a_test_red(tree: BrokenTree, shown: dict[str, str], line: NamedLine) -> None:
    with tree.broken(line.file, line.old, line.new):
        outcome = tree.run(line.tests, patience=SHORT)
    assert not outcome.errors, f"the tests could not run: {outcome.output}"
    assert outcome.failed, f"{line.file}: {line.old!r} became {line.new!r}, and every test of it stayed green"
    shown[line.name] = DIGESTS[line.name]


def test_at_least_two_dozen_lines_are_named() -> None:
    assert len({line.name for line in LINES}) == len(LINES) >= 24


def test_what_changes_is_shown_again() -> None:
    """A line of which a file, a test or a word is another; and some of those that stay, but not all."""
    line = LINES[0]
    proven = {line.name: digest_of([], [line.file])}
    assert not is_due(line.name, proven[line.name], proven, 10**20)
    assert is_due(line.name, proven[line.name], {}, 10**20)
    assert is_due(line.name, digest_of(["new"], [line.file]), proven, 10**20)
    assert is_due(line.name, digest_of([], [line.tests[0].partition("::")[0]]), proven, 10**20)
    again = [name for name, digest in DIGESTS.items() if is_due(name, digest, DIGESTS, ONE_IN)]
    assert len(LINES) / 40 < len(again) < len(LINES) / 4
    made_with = {"conftest.py", "test_ten_vendors.py", "flow.py"}
    needed = {
        "tests/support/virtual.py",
        "tests/fakes/model_server.py",
        *(f"tests/pipeline/{name}" for name in made_with),
    }
    assert needed <= files_of("tests/pipeline/test_ten_vendors.py")


def test_a_line_that_is_not_there_once_is_told(tree: BrokenTree) -> None:
    """So that the table follows the tree."""
    for old in ("no such line", "def "):
        with pytest.raises(AssertionError, match="name a line that it says once"), tree.broken(LINES[0].file, old, ""):
            pass


def test_a_tree_that_cannot_be_imported_is_an_error_and_no_red_test(tree: BrokenTree) -> None:
    line = LINES[0]
    with tree.broken(line.file, line.old, "("):
        outcome = tree.run(line.tests, patience=SHORT)
    assert outcome.errors
    assert not outcome.failed


@pytest.mark.parametrize("name", ["who waits becomes more urgent", "lease of a visit"])
def test_a_line_that_was_broken_a_moment_ago_is_read_as_it_is_now(tree: BrokenTree, name: str) -> None:
    """What one run compiled or imported serves the next, and the file is of the same second and length."""
    line = next(line for line in LINES if line.name == name)
    broken = line.new.ljust(len(line.old))
    assert len(broken) == len(line.old)
    for text in (broken, line.old, broken, line.old):
        with tree.broken(line.file, line.old, text):
            outcome = tree.run(line.tests, patience=SHORT)
        assert bool(outcome.failed) is (text is broken), outcome.output
