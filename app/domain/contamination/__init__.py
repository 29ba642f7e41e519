"""Contamination test: it asks if a model does better before its cutoff than its peers explain."""

from app.domain.contamination.assessment import (
    Assessment,
    AssessmentsByPlatform,
    ContaminationFinding,
    Status,
    assess,
    assess_by_platform,
    change_point,
)
from app.domain.contamination.drop import ChangePoint, CutoffDrop, CutoffQuarter
from app.domain.contamination.panel import Panel, ShortageReason

__all__ = [
    "Assessment",
    "AssessmentsByPlatform",
    "ChangePoint",
    "ContaminationFinding",
    "CutoffDrop",
    "CutoffQuarter",
    "Panel",
    "ShortageReason",
    "Status",
    "assess",
    "assess_by_platform",
    "change_point",
]
