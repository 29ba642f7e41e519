"""Whoever moves ranks, intervals, gaps or estimates of boards adds a revision to METHODS, which upgrades tell of."""

from support.board_worlds import problem, run
from support.rules import ROOT

from app.domain.boards import named_boards
from app.domain.boards.board import BoardQuery, BoardRow
from app.domain.boards.lineup import Lineup
from app.domain.boards.named_boards._paired_gaps import BoardSource, paired_gaps
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell
from app.domain.methods import METHODS
from app.domain.reasons import Reason, join_reasons
from web.i18n import ENGLISH, locales, translator
from web.reason_text import in_words

MODELS = ("orion", "lyra", "vega", "draco", "mira")
# By the revision of METHODS since which it is so, the rows of a fixed board: place, range and tier, then score,
# interval, chance to be first, estimate, difference to lyra with interval and p, and gap to a part. What is here stays:
# other numbers are another revision.
SHOWN = {
    1: (
        "draco 1 1-2 1 55.00 38.77 70.23 0.82 24.17 6.49 41.84 0.02 -3.33 -27.44 20.77 30.00",
        "vega 2 1-2 1 48.33 36.13 60.60 0.18 17.50 5.25 29.75 0.02 -1.67 -19.79 16.46 30.00",
        "lyra 3 3-3 2 30.83 20.86 42.98 0.00 0.83 -14.61 16.28 30.00",
        "orion 4 4-4 3 12.50 8.17 18.61 0.00 -18.33 -28.15 -8.51 0.00 0.83 -5.25 6.92 30.00",
        "mira None None-None None 60.00 40.82 76.54 - 59.74 40.59 76.32 27.50 7.86 47.14 0.02 -5.00 -36.15 26.15 20.00",
    ),
}
MOVED = (
    "A board over fixed results shows other numbers than before. If that is meant, add a sentence to METHODS in "
    "app/domain/methods.py, with its translation and a line in CHANGELOG.md, and add these numbers to SHOWN:"
)


def side(stride: int) -> BoardSource:
    """A board over thirty problems in fifteen contests; the last model lacks a third of its answers."""
    problems = [problem(n, day=n // 2) for n in range(1, 31)]
    runs = [run(n, model=name) for n, name in enumerate(MODELS)]
    cells = [
        Cell(each.id, one.id, 4, min(4, (one.id * stride + 5 * each.id) ** 2 % 13 * (1 + each.id) // 7))
        for each in runs
        for one in problems
        if each.id < 4 or one.id % 3
    ]
    cube, lineup = Cube.build(problems, runs, cells, 1), Lineup.of(runs)
    return BoardSource(rank_board(cube, lineup, BoardQuery(), reference="lyra", replicates=200), cube, lineup)


def told(row: BoardRow, gap: tuple[float | None, ...]) -> str:
    """A row's numbers on one line."""
    interval, estimate, difference = (row.ci_lo, row.ci_hi), row.estimate or (), (row.difference or ())[:4]
    numbers = (row.score, *interval, row.first_chance, *estimate, *difference, *gap)
    place = f"{row.rank} {row.rank_lo}-{row.rank_hi} {row.tier}"
    return f"{row.model} {place} " + " ".join("-" if value is None else f"{value:.2f}" for value in numbers)


def test_what_moves_a_board_is_a_revision_of_the_methods() -> None:
    one, other = side(5), side(3)
    gaps = paired_gaps(one, other, named_boards.ScorePart("part", "slug"))
    lines = tuple(told(row, gaps[row.model, row.configuration]) for row in one.board.rows)
    newest = max(SHOWN)
    assert lines == SHOWN[newest], "\n".join((MOVED, *lines))
    assert newest <= len(METHODS), "METHODS has no sentence for the newest numbers"


def test_each_revision_has_a_sentence_in_every_language_and_the_changelog() -> None:
    changelog = " ".join((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())
    for name, sentence in METHODS.items():
        assert sentence in changelog, f"CHANGELOG.md does not say: {sentence}"
        said = [in_words(translator(locale), Reason(name)) for locale in locales()]
        assert said[0] == sentence
        assert len(set(said)) == len(said), f"A language has no words of its own for: {sentence}"
    both = in_words(translator(ENGLISH), join_reasons(map(Reason, METHODS), 1000))
    assert both == " ".join(METHODS.values()), "also where several moved a score at once"
