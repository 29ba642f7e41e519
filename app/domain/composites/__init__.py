"""Public functions of the composites: DAPR, CoCo-Score and SuperCLUE-Code3's weighted score."""

from app.domain.composites.scores import (
    CocoMode,
    coco_score,
    code3_score,
    dapr,
    dapr_estimate,
    on_scale,
    rasch_ease,
    standardise,
    task_ease,
)

__all__ = [
    "CocoMode",
    "coco_score",
    "code3_score",
    "dapr",
    "dapr_estimate",
    "on_scale",
    "rasch_ease",
    "standardise",
    "task_ease",
]
