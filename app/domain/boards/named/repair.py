"""repair: a model's own wrong program, mended after it was told what failed; LiveCodeBench's second scenario."""

from app.domain.asking.protocols import LCB_REPAIR
from app.domain.boards.named import NamedBoard

BOARD = NamedBoard("repair", "self_repair", LCB_REPAIR.slug, {"en": "Self-repair", "zh": "自我修复"}, place=2)
