"""What of a test may be public: what a maintainer signed, for the data that the maintainer saw.

A test compares a model with others, so whatever it says is of all their answers: `digest` names them. What speaks
against a model is public for the very data it was signed for, and not a day longer. What does not may stay with its
date while newer data wait. That a result waits says nothing of what it is.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

import numpy as np

from app.domain.contamination.assessment import Finding
from app.domain.contamination.panel import MONTHS_BEFORE, Panel, months_from

# What the digest is of, and by which method the numbers are found: another method is to be signed anew.
_METHOD = b"tidemark contamination 2\n"
_AGAINST = frozenset({Finding.EVIDENCE, Finding.NOT_SPECIFIC})
TESTED = ("pooled", "platforms", "change_point")


class Review(StrEnum):
    """Where a row of a report stands: there is nothing to sign, it is signed for these data or for older ones, or it
    waits for a maintainer."""

    NONE = "none"
    SIGNED = "signed"
    OLDER = "older"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Signed:
    """The newest signature of a run: what was signed, of which data and when they were tested; no body, taken back."""

    data: str
    body: Mapping[str, Any] | None
    made_at: datetime
    by: str
    at: datetime


def digest(panel: Panel, target: int, end: date | None = None) -> str:
    """The SHA-256 of what the tests of a model rest on: its answers and those of whoever may be a control, problem by
    problem, with days, contests, platforms and cutoffs. Empty for a model without a cutoff."""
    cutoff = panel.cutoffs[target]
    if cutoff is None:
        return ""
    last = int(panel.day.max(initial=0)) + 1 if end is None else end.toordinal()
    start = months_from(cutoff, -MONTHS_BEFORE).toordinal()
    inside = np.flatnonzero((panel.day >= start) & (panel.day < last) & (panel.n[target] > 0))
    parts = [panel, *(panel.on(code) for code in range(len(panel.platforms)))]
    controls = {int(place) for part in parts for place in part.controls_for(target, start, last)}
    models = [target, *sorted(controls)]
    rows = np.array(models, dtype=np.int64)
    made = hashlib.sha256(_METHOD)
    made.update(f"{cutoff} {start} {last} {[panel.cutoffs[place] for place in models]}\n".encode())
    names = [str(panel.platforms[code]) for code in panel.platform[inside]]
    made.update(f"{names} {np.unique(panel.cluster[inside], return_inverse=True)[1].tolist()}\n".encode())
    for array in (panel.day[inside], *(counts[np.ix_(rows, inside)] for counts in (panel.n, panel.c))):
        made.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return made.hexdigest()


def findings(row: Mapping[str, Any]) -> dict[str, Finding]:
    """What a row's tests come to, all problems together (under an empty name) and by platform."""
    return {name: Finding(part["finding"]) for name, part in {"": row["pooled"], **row["platforms"]}.items()}


def to_sign(row: Mapping[str, Any]) -> bool:
    """Whether a row says anything that needs a signature: that a model cannot be assessed does not."""
    return any(finding is not Finding.NOT_ASSESSABLE for finding in findings(row).values())


def review(row: Mapping[str, Any], signed: Signed | None) -> Review:
    """Where a row of the newest report stands."""
    if not to_sign(row):
        return Review.NONE
    if signed is None or signed.body is None:
        return Review.WAITING
    said, now = findings(signed.body), findings(row)
    if signed.data == row["data"] and said == now:
        return Review.SIGNED
    harmless = not _AGAINST & set(said.values())
    return Review.OLDER if harmless and signed.body["cutoff"] == row["cutoff"] else Review.WAITING


def published(row: Mapping[str, Any], signed: Signed | None) -> dict[str, Any]:
    """A row as everybody may see it: its tests are those that were signed, or missing."""
    standing = review(row, signed)
    public = {name: value for name, value in row.items() if name not in (*TESTED, "data")}
    if standing is Review.WAITING:
        return {**public, "review": standing, "tested_at": None, "pooled": None, "platforms": {}, "change_point": None}
    shown = row if standing is Review.NONE or signed is None or signed.body is None else signed.body
    tested_at = signed.made_at.isoformat() if signed is not None and standing is not Review.NONE else None
    return {**public, "review": standing, "tested_at": tested_at, **{name: shown[name] for name in TESTED}}


def signed_part(row: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a row that is signed."""
    return {name: row[name] for name in ("cutoff", *TESTED)}
