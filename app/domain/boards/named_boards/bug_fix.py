"""bug-fix: one wrong line to repair, beside the model's score for whole programs (CoCo-Bench, code modification)."""

from app.domain.asking.protocols import FRESH, HOUSE
from app.domain.boards.named_boards import BoardColumn, NamedBoard, ScorePart, gap, score_of

BOARD = NamedBoard(
    "bug-fix",
    "bug_fix",
    "house-bug-fix",
    {"en": "Bug fixing", "zh": "修复错误"},
    parts=(ScorePart("written", {"house-bug-fix": HOUSE.slug, "fresh-bug-fix": FRESH.slug}),),
    columns=(
        BoardColumn(
            "written",
            {"en": "writing", "zh": "编写"},
            {
                "en": "The same model's score for writing whole programs, over all problems.",
                "zh": "同一模型编写完整程序的得分（全部题目）。",
            },
            score_of("written"),
        ),
        BoardColumn(
            "gap",
            {"en": "gap", "zh": "差距"},
            {
                "en": "The score minus that for writing, in points, over the problems judged for both.",
                "zh": "得分减去编写程序的得分（分），只计两者都已评测的题目。",
            },
            gap(None, "written"),
        ),
    ),
    place=5,
)
