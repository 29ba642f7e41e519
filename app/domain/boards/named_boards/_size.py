"""The column of a model's size, for boards whose papers compare models by size."""

from typing import Final

from app.domain.boards.named_boards import BoardColumn

SIZE: Final = BoardColumn(
    "size_b",
    {"en": "size", "zh": "参数量"},
    {"en": "Billions of parameters, where they are known.", "zh": "参数量（十亿），未知时不给出。"},
    lambda row, _parts: row.fact.size_b,
)
