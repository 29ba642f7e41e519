"""Public part of contamination tests: what a maintainer signed, for the data that the maintainer saw.

A test compares a model with others, so its result depends on all their answers: `digest` identifies them. A result
against a model is public for the very data it was signed for, and not a day longer. Any other result may stay with its
date while newer data wait. A waiting result says nothing about its content.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

import numpy as np

from app.domain.contamination.assessment import ContaminationFinding
from app.domain.contamination.panel import MONTHS_BEFORE, Panel, months_from

# Prefix of the digest; it names the method, because the results of another method must be signed anew.
_METHOD = b"tidemark contamination 2\n"
_AGAINST = frozenset({ContaminationFinding.EVIDENCE, ContaminationFinding.NOT_SPECIFIC})
TEST_KEYS = ("pooled", "platforms", "change_point")


class SignatureState(StrEnum):
    """State of a report's row: nothing to sign, signed for these or for older data, or waiting for a maintainer."""

    NONE = "none"
    SIGNED = "signed"
    OLDER = "older"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class ReportSignature:
    """Newest signature of a run: the signed body, its data, and when they were tested; no body if withdrawn."""

    data: str
    body: Mapping[str, Any] | None
    made_at: datetime
    by: str
    at: datetime


def data_digest(panel: Panel, target: int, end: date | None = None) -> str:
    """Return the SHA-256 of the data that a model's tests rest on; empty for a model without a cutoff.

    It covers the answers of the model and of every possible control, problem by problem, with days, contests, platforms
    and cutoffs.
    """
    cutoff = panel.cutoffs[target]
    if cutoff is None:
        return ""
    last = int(panel.day.max(initial=0)) + 1 if end is None else end.toordinal()
    start = months_from(cutoff, -MONTHS_BEFORE).toordinal()
    inside = np.flatnonzero((panel.day >= start) & (panel.day < last) & (panel.n[target] > 0))
    parts = [panel, *(panel.on_platform(code) for code in range(len(panel.platforms)))]
    controls = {int(place) for part in parts for place in part.controls_for(target, start, last)}
    models = [target, *sorted(controls)]
    rows = np.array(models, dtype=np.int64)
    hasher = hashlib.sha256(_METHOD)
    hasher.update(f"{cutoff} {start} {last} {[panel.cutoffs[place] for place in models]}\n".encode())
    names = [str(panel.platforms[code]) for code in panel.platform[inside]]
    hasher.update(f"{names} {np.unique(panel.cluster[inside], return_inverse=True)[1].tolist()}\n".encode())
    for array in (panel.day[inside], *(counts[np.ix_(rows, inside)] for counts in (panel.n, panel.c))):
        hasher.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return hasher.hexdigest()


def row_findings(row: Mapping[str, Any]) -> dict[str, ContaminationFinding]:
    """Return the results of a row's tests: all problems together (under an empty name), and by platform."""
    return {
        name: ContaminationFinding(part["finding"]) for name, part in {"": row["pooled"], **row["platforms"]}.items()
    }


def needs_signature(row: Mapping[str, Any]) -> bool:
    """Return whether a row needs a signature: a row of a model that cannot be assessed does not."""
    return any(finding is not ContaminationFinding.NOT_ASSESSABLE for finding in row_findings(row).values())


def signature_state(row: Mapping[str, Any], signed: ReportSignature | None) -> SignatureState:
    """Return the state of a row of the newest report."""
    if not needs_signature(row):
        return SignatureState.NONE
    if signed is None or signed.body is None:
        return SignatureState.WAITING
    signed_findings, new_findings = row_findings(signed.body), row_findings(row)
    if signed.data == row["data"] and signed_findings == new_findings:
        return SignatureState.SIGNED
    harmless = not _AGAINST & set(signed_findings.values())
    return SignatureState.OLDER if harmless and signed.body["cutoff"] == row["cutoff"] else SignatureState.WAITING


def public_row(row: Mapping[str, Any], signed: ReportSignature | None) -> dict[str, Any]:
    """Return a row as the public sees it: its tests are the signed ones, or missing."""
    state = signature_state(row, signed)
    public = {name: value for name, value in row.items() if name not in (*TEST_KEYS, "data")}
    if state is SignatureState.WAITING:
        return {**public, "review": state, "tested_at": None, "pooled": None, "platforms": {}, "change_point": None}
    shown = row if state is SignatureState.NONE or signed is None or signed.body is None else signed.body
    tested_at = signed.made_at.isoformat() if signed is not None and state is not SignatureState.NONE else None
    return {**public, "review": state, "tested_at": tested_at, **{name: shown[name] for name in TEST_KEYS}}


def signed_part(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a signed row that is stored."""
    return {name: row[name] for name in ("cutoff", *TEST_KEYS)}
