"""codegen: programs for whole problems, LiveCodeBench's first scenario."""

from app.domain.asking.protocols import HOUSE
from app.domain.boards.named_boards import BoardColumn, NamedBoard, ScorePart, gap, score_of
from app.domain.boards.named_boards._size import SIZE

BOARD = NamedBoard(
    "codegen",
    "codegen",
    HOUSE.slug,
    {"en": "Code generation", "zh": "代码生成"},
    parts=(ScorePart("base", {"fresh": "fresh-base"}, of_base=True),),
    columns=(
        SIZE,
        BoardColumn(
            "base",
            {"en": "base", "zh": "基座"},
            {
                "en": "The score of the base model it was tuned from, which is shown an example.",
                "zh": "其基座模型的得分；提问基座模型时附一个示例。",
            },
            score_of("base"),
        ),
        BoardColumn(
            "tuning",
            {"en": "tuning", "zh": "微调增益"},
            {
                "en": "The score minus that of the base model it was tuned from, which is shown an example, in points, "
                "over the problems judged for both.",
                "zh": "得分减去其基座模型的得分（分），只计两者都已评测的题目；提问基座模型时附一个示例。",
            },
            gap(None, "base"),
        ),
    ),
    place=1,
)
