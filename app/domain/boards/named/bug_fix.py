"""bug-fix: one wrong line to repair, beside the model's score for whole programs (CoCo-Bench, code modification)."""

from app.domain.asking.protocols import FRESH, HOUSE
from app.domain.boards.named import Column, NamedBoard, Part, gap, score_of

BOARD = NamedBoard(
    "bug-fix",
    "bug_fix",
    "house-bug-fix",
    {"en": "Bug fixing", "zh": "修复错误"},
    parts=(Part("written", {"house-bug-fix": HOUSE.slug, "fresh-bug-fix": FRESH.slug}),),
    columns=(
        Column(
            "written",
            {"en": "writing", "zh": "编写"},
            {
                "en": "The same model's score for writing whole programs, over all problems.",
                "zh": "同一模型编写完整程序的得分（全部题目）。",
            },
            score_of("written"),
        ),
        Column(
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
