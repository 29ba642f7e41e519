"""execution-input: an input for a given result of a program (CoCo-Bench, code understanding in reverse)."""

from app.domain.boards.named_boards import BoardColumn, NamedBoard, ScorePart, gap, score_of

BOARD = NamedBoard(
    "execution-input",
    "execution_input",
    "house-execution-input",
    {"en": "Input prediction", "zh": "输入预测"},
    parts=(
        ScorePart("forward", {"house-execution-input": "house-execution", "fresh-execution-input": "fresh-execution"}),
    ),
    columns=(
        BoardColumn(
            "forward",
            {"en": "forward", "zh": "正向"},
            {
                "en": "The same model's score where the value of a call is asked for instead of a call.",
                "zh": "已知调用、求返回值时，同一模型的得分。",
            },
            score_of("forward"),
        ),
        BoardColumn(
            "gap",
            {"en": "gap", "zh": "差距"},
            {
                "en": "The score minus that of the forward direction, in points, over the problems judged for both.",
                "zh": "得分减去正向得分（分），只计两者都已评测的题目。",
            },
            gap(None, "forward"),
        ),
    ),
    place=4,
)
