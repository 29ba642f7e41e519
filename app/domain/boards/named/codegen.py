"""codegen: programs for whole problems, LiveCodeBench's first scenario."""

from app.domain.asking.protocols import HOUSE
from app.domain.boards.named import NamedBoard

BOARD = NamedBoard("codegen", "codegen", HOUSE.slug, {"en": "Code generation", "zh": "代码生成"}, place=1)
