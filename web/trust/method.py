"""Method of each number: one paragraph for each column of a board and each statistic of other pages.

The words are in the catalogues, under `method.` and the paragraph's key; formulas, sources and places in the code are
here, and limits come from the code that applies them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from markupsafe import Markup

from app.domain.boards.columns import Column, ShownColumn, columns
from app.domain.boards.entrants import MIN_COVERAGE
from app.domain.boards.named_boards import boards
from app.domain.boards.own_tests import MIN_VENDORS
from app.domain.boards.pass_at import KS
from app.domain.boards.standing import MIN_RESAMPLED_CONTESTS
from app.domain.composites.ease import MIN_MODELS
from app.domain.contamination.assessment import MIN_EFFECT_POINTS
from app.domain.contamination.panel import MIN_CONTROLS, MIN_POST, MIN_PRE
from app.domain.judging.speed import MIN_PROBLEMS
from app.domain.metrics.correlation import MIN_PAIRS
from web.columns import column_text
from web.context import PageRequest
from web.tex import formula

_SENTENCE: Final = re.compile(r".+?(?:[.?](?=\s)|[。？])")
_MILLER: Final = "Miller 2024, arXiv 2411.00640"
_CHEN: Final = "Chen et al. 2021, arXiv 2107.03374, section 2.1"


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """The facts of one paragraph: its key, the columns of boards that it explains, and what the words leave out.

    `code` are module paths, `values` fill the words' placeholders, and `assumes` says that the catalogues have a
    sentence about what must hold.
    """

    key: str
    columns: tuple[str, ...] = ()
    tex: str = ""
    source: str = ""
    code: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    assumes: bool = False


@dataclass(frozen=True, slots=True)
class MethodParagraph:
    """A paragraph in the page's language; `anchors` are the other names that lead to it."""

    entry: MethodEntry
    title: str
    text: str
    assumption: str
    formula: Markup | None

    @property
    def anchors(self) -> tuple[str, ...]:
        """The columns of this paragraph that are not its own key."""
        return tuple(name for name in self.entry.columns if name != self.entry.key)

    @property
    def gist(self) -> str:
        """The first sentence of its text."""
        found = _SENTENCE.match(self.text)
        return found[0] if found else self.text


@dataclass(frozen=True, slots=True)
class DeclaredColumn:
    """A column with the words of its declaration; `anchor` is its place on the page."""

    anchor: str
    title: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """The columns of one board that others lack, or those of every board that were declared later."""

    title: str
    columns: tuple[DeclaredColumn, ...]


_BOARD: Final = (
    MethodEntry(
        "score", ("score",), r"\bar{x}=\frac{100}{J}\sum_{j=1}^{J}\frac{c_j}{n_j}", _CHEN,
        ("app/domain/boards/totals.py",), assumes=True,
    ),
    MethodEntry(
        "ci", ("ci_lo", "ci_hi"),
        r"\bar{x}\pm t_{G-1}\sqrt{\frac{G}{G-1}\cdot\frac{1}{J^2}\sum_{g=1}^{G}"
        r"\left(\sum_{j\in g}(x_j-\bar{x})\right)^2}",
        f"{_MILLER}; Wilson 1927; Carter, Schnepel and Steigerwald 2017",
        ("app/domain/metrics/intervals.py",), assumes=True,
    ),
    MethodEntry(
        "rank", ("rank", "rank_lo", "rank_hi"), r"1+B_i\;\le\;r_i\;\le\;M-W_i", "Holm 1979",
        ("app/domain/boards/separation.py", "app/domain/boards/standing.py"), assumes=True,
    ),
    MethodEntry("tier", ("tier",), code=("app/domain/boards/separation.py",)),
    MethodEntry(
        "difference", ("difference",),
        r"\bar{d}=\frac{1}{J}\sum_{j=1}^{J}(a_j-b_j),\qquad\bar{d}\pm t_{G-1}\,\mathrm{se}(\bar{d})",
        f"{_MILLER}, paired differences",
        ("app/domain/boards/comparison.py", "app/domain/metrics/intervals.py"), assumes=True,
    ),
    MethodEntry("resolution", code=("app/domain/boards/separation.py", "app/domain/boards/ranking.py")),
    MethodEntry(
        "p_first", ("p_first",), code=("app/domain/boards/separation.py",), values={"n": MIN_RESAMPLED_CONTESTS},
        assumes=True,
    ),
    MethodEntry(
        "rank_overlap", ("rank_overlap",),
        r"1+\sum_{j}[\mathrm{lo}_j>\mathrm{hi}_i]\;\le\;r_i\;\le\;\sum_{j}[\mathrm{hi}_j\ge\mathrm{lo}_i]", "LMArena",
        ("app/domain/metrics/intervals.py",),
    ),
    MethodEntry(
        "pass_at", ("pass_at",), r"\mathrm{pass@}k=1-\frac{\binom{n-c}{k}}{\binom{n}{k}}", _CHEN,
        ("app/domain/boards/pass_at.py",), {"ks": ", ".join(map(str, KS))},
    ),
    MethodEntry("by_difficulty", ("by_difficulty",), code=("app/domain/publishing/bands.py",), assumes=True),
    MethodEntry("columns", ("columns",), code=("app/domain/boards/named_boards",)),
)  # fmt: skip
_COUNTED: Final = (
    MethodEntry(
        "coverage", ("coverage", "n_problems", "wanted", "pending", "judge_errors", "provisional"),
        r"\frac{1}{W}\sum_{j=1}^{W}\frac{\mathrm{judged}_j}{\mathrm{expected}_j}",
        code=("app/domain/boards/entrants.py",), values={"percent": round(100 * MIN_COVERAGE)},
    ),
    MethodEntry("cutoff", ("cutoff",), code=("app/domain/cutoffs.py",), assumes=True),
    MethodEntry("released", ("released",), code=("app/domain/boards/columns",)),
    MethodEntry(
        "exposed", ("exposed", "served", "prospective", "split", "unranked"), r"\mathrm{released}_j\le\mathrm{cutoff}",
        code=("app/domain/boards/entrants.py", "app/domain/boards/seen_problems.py"), assumes=True,
    ),
    MethodEntry(
        "estimate", ("estimate",), r"\mathrm{logit}\,p_j=a+b\,x_j", code=("app/domain/metrics/estimates.py",),
        assumes=True,
    ),
    MethodEntry(
        "trials", ("configuration", "run", "trials", "unpublished_variants", "started_by", "registered_at"),
        code=("app/domain/boards/lineup.py",),
    ),
    MethodEntry(
        "without_own", ("without_own", "without_own_reason"), code=("app/domain/boards/own_tests.py",),
        values={"n": MIN_VENDORS},
    ),
    MethodEntry(
        "model",
        ("model", "name", "organisation", "demo", "imported", "n_inferred", "unknown_model", "unmatched", "weights",
         "tuned_from"),
        code=("app/domain/model_names.py", "app/domain/known_models"),
    ),
)  # fmt: skip
_EFFORT: Final = (
    MethodEntry("tokens", ("tokens", "languages"), code=("app/services/runs/usage.py",), assumes=True),
    MethodEntry("seconds", ("seconds_per_problem", "lag_days"), code=("app/services/runs/usage.py",), assumes=True),
    MethodEntry(
        "cost", ("cost_per_solve",), r"\frac{\mathrm{cost\ per\ problem}}{\bar{x}/100}",
        code=("app/services/runs/usage.py", "app/domain/boards/board.py"),
    ),
    MethodEntry(
        "speed", ("speed_vs_reference", "speed_problems"),
        r"\exp\left(\frac{1}{m}\sum_{j=1}^{m}\ln\frac{t_j^{\mathrm{ref}}}{t_j}\right)",
        code=("app/domain/judging/speed.py",), values={"n": MIN_PROBLEMS},
    ),
)  # fmt: skip
_OTHER: Final = (
    MethodEntry(
        "elo", tex=r"P(a\succ b)=\frac{1}{1+10^{(r_b-r_a)/400}}",
        source="Bradley and Terry 1952; BigCodeBench, arXiv 2406.15877",
        code=("app/domain/ratings/bradley_terry.py",), assumes=True,
    ),
    MethodEntry(
        "human_rating", tex=r"\sum_{i}\frac{1}{1+10^{(r-r_i)/400}}=b", source="CodeElo, arXiv 2501.01257",
        code=("app/domain/ratings/human_rating.py",), assumes=True,
    ),
    MethodEntry(
        "contamination",
        tex=r"\mathrm{logit}\,p_j=\alpha+\beta\,\mathrm{pre}_j+\gamma_1 x_j+\gamma_2\left(x_j^2-\overline{x^2}\right)"
            r"+\delta_{\mathrm{platform}(j)}",
        source="Roberts et al. 2023, arXiv 2310.10628; Dekoninck et al. 2024, arXiv 2405.16281; Liang and Zeger 1986",
        code=("app/domain/contamination/assessment.py",),
        values={"before": MIN_PRE, "after": MIN_POST, "controls": MIN_CONTROLS, "points": f"{MIN_EFFECT_POINTS:g}"},
        assumes=True,
    ),
    MethodEntry(
        "dapr", tex=r"\frac{\sum_j x_j/\mu_j}{\sum_j 1/\mu_j}", source="CoCo-Bench, arXiv 2504.20673; Binder 1983",
        code=("app/domain/composites/scores.py", "app/domain/composites/ease.py"), values={"n": MIN_MODELS},
    ),
    MethodEntry(
        "correlation", tex=r"\tanh\left(\mathrm{artanh}\,r\pm\frac{1.96}{\sqrt{n-3}}\right)", source="Fisher 1915",
        code=("app/domain/metrics/correlation.py",), values={"n": MIN_PAIRS},
    ),
    MethodEntry("agreement", code=("app/services/problems/suite_agreement.py",)),
)  # fmt: skip

# In the order of the page: the numbers of a board, what counts, what it took, and the statistics of other pages.
METHOD: Final[Mapping[str, tuple[MethodEntry, ...]]] = {
    "board": _BOARD, "counted": _COUNTED, "effort": _EFFORT, "other": _OTHER,
}  # fmt: skip


def method_paragraphs(page: PageRequest) -> dict[str, tuple[MethodParagraph, ...]]:
    """Return the paragraphs of each part of the page, in its language."""
    return {part: tuple(_paragraph(page, entry) for entry in entries) for part, entries in METHOD.items()}


def _paragraph(page: PageRequest, entry: MethodEntry) -> MethodParagraph:
    return MethodParagraph(
        entry,
        title=page.t(f"method.{entry.key}"),
        text=page.t(f"method.{entry.key}.text", **entry.values),
        assumption=page.t(f"method.{entry.key}.assume") if entry.assumes else "",
        formula=_mathml(entry.tex),
    )


@cache
def _mathml(tex: str) -> Markup | None:
    """Return a formula as MathML, which `web.tex` has written of known elements alone."""
    markup = formula(tex, block=True) if tex else None
    return None if markup is None else Markup(markup)  # noqa: S704


def column_groups(page: PageRequest) -> Iterator[ColumnGroup]:
    """Yield the columns that say themselves what they are: later ones of every board, then those of single boards."""
    explained = {name for entries in METHOD.values() for entry in entries for name in entry.columns}
    later = tuple(
        DeclaredColumn(column.name, *_declared_words(page, column))
        for column in columns()
        if column.name not in explained
    )
    if later:
        yield ColumnGroup(page.t("method.every_board"), later)
    for board in boards().values():
        if board.columns:
            own = (
                DeclaredColumn(f"{board.name}-{column.name}", page.spoken(column.titles), page.spoken(column.meanings))
                for column in board.columns
            )
            yield ColumnGroup(page.board_title(board.name), tuple(own))


def _declared_words(page: PageRequest, column: Column) -> tuple[str, str]:
    """Return the title and meaning of a column that a table shows, else its name alone."""
    shown = column.shown
    if not isinstance(shown, ShownColumn):
        return column.name, ""
    return column_text(page, shown.title), "".join(column_text(page, text) for text in shown.meaning)
