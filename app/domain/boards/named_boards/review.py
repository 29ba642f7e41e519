"""review: one planted defect to name by category and line (CoCo-Bench, code review)."""

from app.domain.boards.named_boards import NamedBoard

BOARD = NamedBoard("review", "review", "house-review", {"en": "Code review", "zh": "代码评审"}, place=5)
