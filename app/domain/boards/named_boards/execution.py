"""execution: the result of a program for an input, at once and step by step (LiveCodeBench, code execution)."""

from app.domain.boards.named_boards import BoardColumn, NamedBoard, ScorePart, gap, score_of

BOARD = NamedBoard(
    "execution",
    "execution",
    "house-execution",
    {"en": "Code execution", "zh": "代码执行"},
    parts=(
        ScorePart(
            "steps",
            {
                "house-execution": "house-execution-cot",
                "fresh-execution": "fresh-execution-cot",
                "lcb-execution": "lcb-execution-cot",
            },
        ),
    ),
    columns=(
        BoardColumn(
            "step_by_step",
            {"en": "by steps", "zh": "逐步推理"},
            {
                "en": "The same model's score where it may reason step by step before it answers.",
                "zh": "允许先逐步推理再作答时，同一模型的得分。",
            },
            score_of("steps"),
        ),
        BoardColumn(
            "gain",
            {"en": "gain", "zh": "提升"},
            {
                "en": "The score by steps minus that at once, in points, over the problems judged for both.",
                "zh": "逐步推理得分减去直接作答得分（分），只计两者都已评测的题目。",
            },
            gap("steps", None),
        ),
    ),
    place=3,
)
