"""codeelo: contests, eight answers after free reasoning (CodeElo, arXiv 2501.01257, section 4.1).

Ratings beside human ones are on the page of ratings.
"""

from collections.abc import Callable

from app.domain.boards.board import BoardRow
from app.domain.boards.named_boards import (
    BoardColumn,
    Grouping,
    GroupingFacts,
    NamedBoard,
    PartScores,
    ScorePart,
    gap,
    score_of,
)
from app.domain.boards.named_boards._groups import EVERYBODY_DIVISION
from app.domain.boards.named_boards._size import SIZE
from app.domain.problems import ProblemFact
from app.domain.publishing.bands import HOUSE_RATINGS

# Section 4.3: from the first rating up to but excluding the second; the last band includes its end.
_RATING_BANDS = {"800-1000": (800, 1000), "1000-1300": (1000, 1300), "1300-3500": (1300, 3501)}


def _rating_band(problem: ProblemFact, about: GroupingFacts) -> str | None:
    """Return the group of a problem by its rating; unrated ones of the house league go by their level."""
    counts_as = HOUSE_RATINGS.get(problem.level) if problem.demo and problem.level is not None else None
    rating = counts_as if about.rating is None else about.rating
    return next(
        (name for name, (low, end) in _RATING_BANDS.items() if rating is not None and low <= rating < end), None
    )


def _division(_problem: ProblemFact, about: GroupingFacts) -> str | None:
    return about.division or (EVERYBODY_DIVISION if about.in_contest else None)


def _language_share(language: str) -> Callable[[BoardRow, PartScores], float | None]:
    """Return the source of the share of answers in a language, if the protocol leaves it open."""

    def share(row: BoardRow, _parts: PartScores) -> float | None:
        return 100 * dict(row.usage.languages).get(language, 0.0) if row.usage.languages else None

    return share


BOARD = NamedBoard(
    "codeelo",
    "codegen",
    "house-codeelo",
    {"en": "CodeElo", "zh": "CodeElo 题集"},
    styles=("codeelo-cot", "codeelo-open"),
    parts=(ScorePart("python", {"codeelo-4k": "codeelo-4k-python", "codeelo-32k": "codeelo-32k-python"}),),
    columns=(
        SIZE,
        BoardColumn(
            "python",
            {"en": "Python", "zh": "Python"},
            {
                "en": "The same model's score where the same problems are to be solved in Python.",
                "zh": "同样的题目要求用 Python 作答时，同一模型的得分。",
            },
            score_of("python"),
        ),
        BoardColumn(
            "gap",
            {"en": "gap", "zh": "差距"},
            {
                "en": "The score minus that in Python, in points, over the problems judged for both.",
                "zh": "得分减去用 Python 作答的得分（分），只计两者都已评测的题目。",
            },
            gap(None, "python"),
        ),
        *(
            BoardColumn(
                f"chose_{language}",
                {"en": f"chose {name}", "zh": f"选择 {name}"},
                {
                    "en": f"The share of all its answers in {name}, where the language is left open.",
                    "zh": f"语言不限时，其全部回答中使用 {name} 的比例。",
                },
                _language_share(language),
            )
            for language, name in (("cpp", "C++"), ("python", "Python"))
        ),
    ),
    groupings=(
        Grouping(
            "all",
            {"en": "All problems", "zh": "全部题目"},
            {
                "en": "pass@k: the chance that one of k answers to a problem passes.",
                "zh": "pass@k：一道题的 k 个回答中至少一个通过的概率。",
            },
            lambda _problem, _about: "all",
            names=("all",),
        ),
        Grouping(
            "band",
            {"en": "By difficulty", "zh": "按难度"},
            {
                "en": "The bands of the paper, by the problem’s rating on Codeforces; a problem at an edge is in the "
                "upper band. Problems of the house league have no rating: their levels, from easy to extreme, count as "
                "900, 1200, 1800, 2400 and 3000.",
                "zh": "论文的难度区间，按题目在 Codeforces 上的难度分划分，恰在边界上的题目归入较高区间。"
                "自建题库的题目没有难度分：从简单到极难的五个等级分别按 900、1200、1800、2400、3000 计。",
            },
            _rating_band,
            names=tuple(_RATING_BANDS),
        ),
        Grouping(
            "division",
            {"en": "By division", "zh": "按组别"},
            {"en": "By the division of the problem’s contest.", "zh": "按题目所属比赛的组别。"},
            _division,
        ),
    ),
    least_by_topic=30,  # section 5
    place=7,
)
