"""Contamination test: it asks if a model does better before its cutoff than its peers explain."""

from app.domain.contamination.assessment import (
    Assessment,
    ByPlatform,
    Finding,
    Status,
    assess,
    assess_by_platform,
    change_point,
)
from app.domain.contamination.drop import ChangePoint, Drop, Quarter
from app.domain.contamination.panel import Panel, Reason

__all__ = [
    "Assessment",
    "ByPlatform",
    "ChangePoint",
    "Drop",
    "Finding",
    "Panel",
    "Quarter",
    "Reason",
    "Status",
    "assess",
    "assess_by_platform",
    "change_point",
]
