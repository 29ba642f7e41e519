"""Evidence for contamination: rows better before a cutoff than difficulty and peers explain, and problems sent.

The tests take seconds, so the clock runs them now and then. A finding is public once a maintainer has signed it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from math import isfinite
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.evidence import evidence
from app.db.evidence.evidence import ModelExposure, SentProblemAnswer, SentSummary
from app.db.kernel.session import Session
from app.db.sources import people
from app.domain.contamination import Assessment, ChangePoint, Panel, assess_by_platform, change_point
from app.domain.contamination.drop import CutoffDrop
from app.domain.contamination.probes import private_gap, rewritten_gap
from app.domain.contamination.signing import data_digest
from app.domain.cube.facts import RunFact
from app.domain.errors import InvalidInput, NoObjects, NotFound
from app.domain.metrics.curves import monthly_scores
from app.domain.metrics.intervals import Floats, Ints
from app.services.boards.cubes import LoadedProtocol
from app.services.evidence import signing
from app.services.runs.result_views import check_name

KIND = signing.KIND
EMPTY: Mapping[str, Any] = {"problems": 0, "private_problems": 0, "rewritten_pairs": 0, "models": []}
MAX_SENT = 1000
# Every model is tested against placebos of all others: with more cells the tests would take hours.
MAX_CELLS = 3_000_000


@dataclass(frozen=True, slots=True)
class ContaminationInputs:
    """A protocol's cells, its private problems, and (original, rewritten) pairs of problems."""

    loaded: LoadedProtocol
    private: frozenset[int]
    rewrites: tuple[tuple[int, int], ...]


def prepare(session: Session, loaded: LoadedProtocol) -> ContaminationInputs:
    """Read the inputs of the report."""
    return ContaminationInputs(loaded, people.private_problems(session), tuple(people.rewrites(session)))


def assess_protocol(inputs: ContaminationInputs) -> dict[str, Any]:
    """Return the report over a protocol's cells: every row tested, pooled and by platform. Pure and slow."""
    loaded = inputs.loaded
    axes, runs = loaded.cube.axes, loaded.lineup.standing_trials.runs
    columns = axes.columns_of(loaded.lineup.standing_trials.ids)
    rows = np.arange(len(axes.problems))
    if rows.size * columns.size > MAX_CELLS:
        return {**EMPTY, "problems": rows.size}
    n, c = loaded.cube.lines(rows, columns).by_problem()
    platforms = [axes.platforms[code] for code in axes.platform]
    cutoffs, families = [run.known_cutoff for run in runs], [_family(run) for run in runs]
    panel = Panel.of(n.T, c.T, axes.day, axes.cluster, platforms, cutoffs, families)
    assessment = assess_by_platform(panel, targets=range(len(runs)), trend=True)
    rate, graded = np.divide(c, n, out=np.zeros(n.shape), where=n > 0), n > 0
    private = np.isin(axes.ids, list(inputs.private))
    several = axes.platforms if len(axes.platforms) > 1 else ()  # of a single platform they equal the months of all
    by_platform = {str(name): axes.platform == code for code, name in enumerate(several)}
    pairs = [(axes.row[one], axes.row[other]) for one, other in inputs.rewrites if {one, other} <= axes.row.keys()]
    rewritten = [rewritten_gap(rate[:, place], graded[:, place], axes.cluster, pairs) for place in range(len(runs))]
    return {
        "problems": len(axes.problems),
        "private_problems": int(private.sum()),
        "rewritten_pairs": len(pairs),
        "models": [
            {
                "run": run.id,
                "data": data_digest(panel, place),
                "model": run.model,
                "name": run.name,
                "organisation": run.organisation,
                "configuration": run.configuration,
                "trial": run.trial,
                "cutoff": {"date": _iso(run.cutoff_on), "basis": run.cutoff_basis},
                "pooled": _assessment_json(assessment.pooled[place]),
                "platforms": {
                    str(name): _assessment_json(parts[place]) for name, parts in assessment.platforms.items()
                },
                "change_point": _change_point_json(panel, place, assessment.pooled[place]),
                "private_gap": asdict(
                    private_gap(axes.day, rate[:, place], graded[:, place], axes.cluster, private, run.known_cutoff)
                ),
                "rewritten": None if gap is None else asdict(gap),
                "rewritten_graded": twins,
                "months": months(axes.day, rate[:, place], graded[:, place], axes.cluster),
                "months_by_platform": {
                    platform: months(axes.day, rate[:, place], graded[:, place] & here, axes.cluster)
                    for platform, here in by_platform.items()
                },
            }
            for place, (run, (twins, gap)) in enumerate(zip(runs, rewritten, strict=True))
        ],
    }


def _family(run: RunFact) -> str:
    """Return the vendor, whose models share training data, or the model itself if its vendor is not known."""
    return run.organisation or run.model


def _assessment_json(assessment: Assessment) -> dict[str, Any]:
    return {
        "status": assessment.status,
        "reason": assessment.reason,
        "unmet": [
            {"condition": condition.reason, "have": condition.have, "need": condition.need}
            for condition in assessment.unmet
        ],
        "window": {"from": _iso(window[0]), "to": _iso(window[1])} if (window := assessment.window) else None,
        "models_left_out": asdict(assessment.others),
        "finding": assessment.finding,
        "evidence": assessment.evidence,
        "smoothed": assessment.smoothed,
        "pre": assessment.pre,
        "post": assessment.post,
        "clusters": assessment.clusters,
        "controls": assessment.controls,
        "rate_pre": _finite_or_none(assessment.rate_pre),
        "rate_post": _finite_or_none(assessment.rate_post),
        "raw": None if assessment.raw is None else _json_values(assessment.raw._asdict()),
        "drop": _drop_json(assessment.drop),
        "trend": _drop_json(assessment.trend),
        "quarters": [_json_values(asdict(quarter)) for quarter in assessment.quarters],
    }


def _drop_json(drop: CutoffDrop | None) -> dict[str, Any] | None:
    return None if drop is None else _json_values(asdict(drop))


def _change_point_json(panel: Panel, place: int, assessment: Assessment) -> dict[str, Any] | None:
    change: ChangePoint | None = None if assessment.reason is not None else change_point(panel, place)
    return None if change is None else _json_values(asdict(change))


def months(days: Ints, rate: Floats, graded: Any, clusters: Ints) -> list[dict[str, Any]]:
    """Return means by month as a report has them."""
    return [_json_values(asdict(month)) for month in monthly_scores(days, rate, graded, clusters)]


def _json_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON has them: days as text, no nan and no infinity."""
    return {name: _json_value(value) for name, value in values.items()}


def _json_value(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return _finite_or_none(value) if isinstance(value, float) else value


def _finite_or_none(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


@dataclass(frozen=True, slots=True)
class ContaminationReport:
    """Contamination report of a protocol, and when it was made; `body` is None before the first one."""

    protocol: ProtocolFact
    protocols: tuple[ProtocolFact, ...]
    revision: int | None
    made_at: datetime | None
    body: Mapping[str, Any] | None
    exposed: tuple[ModelExposure, ...]

    @property
    def models(self) -> Sequence[Mapping[str, Any]]:
        """Rows, those with evidence first, then by effect, then the others."""
        return sorted(self.body["models"], key=_sort_key) if self.body else ()


def _sort_key(row: Mapping[str, Any]) -> tuple[bool, bool, float, str]:
    pooled = row["pooled"] or {"drop": None, "evidence": False}  # None while it waits for a signature
    drop = pooled["drop"]
    return not pooled["evidence"], drop is None, -drop["effect"] if drop else 0.0, row["model"]


def report(session: Session, slug: str | None) -> ContaminationReport:
    """Return the newest report over a protocol, by default over the one with the most assessed models, then problems.

    Raises NotFound for a protocol that has no public run, and NoObjects if no protocol has one.
    """
    protocols = tuple(cells.protocols(session))
    reports = {protocol.slug: evidence.report(session, KIND, protocol.id) for protocol in protocols}
    if slug is None:
        slug = max(reports, key=lambda name: _report_size(reports[name]), default=None)
    chosen = next((protocol for protocol in protocols if protocol.slug == slug), None)
    if chosen is None:
        raise NotFound(f"there is no protocol {slug!r:.80}") if slug else NoObjects("no protocol has rows yet")
    row = reports[chosen.slug]
    return ContaminationReport(
        protocol=chosen,
        protocols=protocols,
        revision=None if row is None else row.revision,
        made_at=None if row is None else row.made_at,
        body=None if row is None else public_body(session, chosen.id, row.body),
        exposed=tuple(evidence.model_exposures(session)),
    )


def public_body(session: Session, protocol_id: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the public part of a report: models with a public run, and signed tests."""
    public = cells.public_models(session, protocol_id)
    return {**body, "models": signing.public_rows(session, [row for row in body["models"] if row["model"] in public])}


def _report_size(row: Any) -> tuple[int, int]:
    """Return (models assessed, problems) of a report."""
    if row is None:
        return -1, 0
    return sum(model["pooled"]["status"] == "assessed" for model in row.body["models"]), row.body["problems"]


@dataclass(frozen=True, slots=True)
class ExposurePage:
    """Problems sent, oldest first."""

    exposures: list[SentProblemAnswer]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]


def exposure_ledger(session: Session, model: str | None, cursor: str | None, limit: int) -> ExposurePage:
    """Return a page of the exposure ledger. Raises InvalidInput."""
    if not 1 <= limit <= MAX_SENT:
        raise InvalidInput(f"limit must be from 1 to {MAX_SENT}", pointer="/limit")
    if model is not None:
        check_name(model)
    entries = evidence.sent_problems(session, model, None if cursor is None else _parse_cursor(cursor), limit + 1)
    after = None
    if len(entries) > limit:
        problem, last = entries[limit - 1]
        after = f"{last.sent_at:%Y-%m-%dT%H:%M:%S.%fZ}~{last.endpoint}~{problem}"
    return ExposurePage([sending for _problem, sending in entries[:limit]], after)


def _parse_cursor(cursor: str) -> tuple[datetime, int, int]:
    try:
        at, endpoint, problem = cursor.split("~")
        instant = datetime.fromisoformat(at)
        place = int(endpoint), int(problem)
    except ValueError as unreadable:
        raise InvalidInput("invalid cursor", pointer="/cursor") from unreadable
    if instant.tzinfo is None or not all(0 <= number < 2**63 for number in place):
        raise InvalidInput("invalid cursor", pointer="/cursor")
    return instant, *place


def problems_sent(session: Session, model: str) -> SentSummary | None:
    """Return how many problems were sent to a model's endpoints, and since when; None if none were."""
    return evidence.sent_summary(session, model)


def rows_of_model(body: Mapping[str, Any] | None, model: str) -> Iterable[Mapping[str, Any]]:
    """Return a model's rows of a report."""
    return [row for row in (body or {}).get("models", ()) if row["model"] == model]
