"""codeelo: contests, eight answers after free reasoning (CodeElo, arXiv 2501.01257, section 4.1).

Ratings beside people's are on the page of ratings.
"""

from app.domain.boards.named import Column, NamedBoard, Part, gap, score_of

BOARD = NamedBoard(
    "codeelo",
    "codegen",
    "house-codeelo",
    {"en": "CodeElo", "zh": "CodeElo 题集"},
    styles=("codeelo-cot", "codeelo-open"),
    parts=(Part("python", {"codeelo-4k": "codeelo-4k-python", "codeelo-32k": "codeelo-32k-python"}),),
    columns=(
        Column(
            "python",
            {"en": "Python", "zh": "Python"},
            {
                "en": "The same model's score where the same problems are to be solved in Python.",
                "zh": "同样的题目要求用 Python 作答时，同一模型的得分。",
            },
            score_of("python"),
        ),
        Column(
            "gap",
            {"en": "gap", "zh": "差距"},
            {"en": "The score minus that in Python, in points.", "zh": "得分减去用 Python 作答的得分（分）。"},
            gap(None, "python"),
        ),
    ),
    place=7,
)
