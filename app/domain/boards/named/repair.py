"""repair: a model's own failed program, sent back once with what went wrong (LiveCodeBench, self-repair)."""

from app.domain.boards.named import Column, NamedBoard, Part, gap, score_of

BOARD = NamedBoard(
    "repair",
    "self_repair",
    "house-repair",
    {"en": "Self-repair", "zh": "自我修复"},
    parts=(Part("first", {"house-repair": "house", "fresh-repair": "fresh"}),),
    columns=(
        Column(
            "first",
            {"en": "first try", "zh": "首次作答"},
            {"en": "The same model's score before it was told what failed.", "zh": "同一模型在获知错误之前的得分。"},
            score_of("first"),
        ),
        Column(
            "gain",
            {"en": "gain", "zh": "提升"},
            {
                "en": "The score minus that of the first try, in points.",
                "zh": "得分减去首次作答得分（分）。",
            },
            gap(None, "first"),
            paired="first",
        ),
    ),
    place=2,
)
