"""Contamination test: it asks if a model does better before its cutoff than its peers explain."""

from app.domain.contamination.assessment import (
    Assessment,
    ByPlatform,
    ContaminationFinding,
    Status,
    assess,
    assess_by_platform,
    change_point,
)
from app.domain.contamination.drop import ChangePoint, DropEstimate, QuarterEffect
from app.domain.contamination.panel import Panel, ShortageReason

__all__ = [
    "Assessment",
    "ByPlatform",
    "ChangePoint",
    "ContaminationFinding",
    "DropEstimate",
    "Panel",
    "QuarterEffect",
    "ShortageReason",
    "Status",
    "assess",
    "assess_by_platform",
    "change_point",
]
