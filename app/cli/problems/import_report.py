"""The printed result of an import: stored and unmatched rows, and proposals that wait for a decision."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from app.cli.problems.board_wait import describe_proposal
from app.cli.tables import paragraph, terminal_width
from app.domain.imports import ImportSummary, SubmissionTrial
from app.domain.windows import Window
from app.services.rejudging.views import Proposal

_MAX_SHOWN = 10  # printed entries of each list


def print_summary(
    summary: ImportSummary,
    waiting: tuple[Proposal, ...],
    window: tuple[str, Window] | None = None,
    *,
    as_json: bool,
) -> None:
    """Print the summary as JSON or text, with the clean board window if most rows have no rank."""
    days = [] if window is None else [("from", window[1].start), ("to", window[1].end)]
    if as_json:
        body = {name: value for name, value in asdict(summary).items() if name not in ("test_sets", "runs")}
        body["clean_window"] = {name: day and day.isoformat() for name, day in days} if window else None
        body["rejudgings"] = [asdict(proposal) for proposal in waiting]
        print(json.dumps(body, indent=2, ensure_ascii=False))
        return
    width = terminal_width()
    lines = [f"imported {summary.models} models, {summary.problems} problems, {summary.rows} rows"]
    if summary.protocol:
        name = "codegen" if window is None else window[0]
        lines.append(f"see: tidemark board {name} --protocol {summary.protocol}")
    if window is not None:
        options = " ".join(f"--{name} {day}" for name, day in days if day is not None)
        hint = f"most rows may have seen problems; the longest window in which half are clean: {options}"
        lines += paragraph(hint, width, hanging="    ")
    lines += _submission_lines(summary.submissions, width)
    for title, notes in (
        ("not matched to a problem here", summary.unmatched),
        ("notes", summary.notes),
        (
            "not in the table of known models, so they count as trained until the day they were added",
            _with_nearest(summary.unknown_models, summary),
        ),
        ("no model here has this name", _with_nearest(summary.unmatched_models, summary)),
        ("bad rows, left out", [str(row) for row in summary.bad_rows]),
    ):
        if notes:
            lines.append(f"{title} ({len(notes)}):")
            lines += [part for note in notes[:_MAX_SHOWN] for part in paragraph(note, width, "  ", "    ")]
            lines += [f"  ... and {len(notes) - _MAX_SHOWN} more; --json lists all"] if len(notes) > _MAX_SHOWN else []
    for proposal in waiting:
        lines += paragraph(describe_proposal(proposal), width, hanging="    ")
    print("\n".join(lines))


def _submission_lines(trials: Sequence[SubmissionTrial], width: int) -> list[str]:
    """Return lines that count the submissions of packages with the right verdicts and name the others."""
    if not trials:
        return []
    others = [trial for trial in trials if not trial.as_said]
    lines = [
        f"example submissions: {len(trials) - len(others)} of {len(trials)} get the verdicts that their packages state"
    ]
    for trial in others:
        what = "not tried" if trial.verdict is None else trial.verdict
        lines += paragraph(f"{trial.problem}: {trial.submission}: {what}: {trial.reason}", width, "  ", "    ")
    return lines


def _with_nearest(names: Sequence[str], summary: ImportSummary) -> list[str]:
    """Return names, each with the known ones that are spelt most like it."""
    return [f"{name} (nearest: {', '.join(near)})" if (near := summary.nearest.get(name)) else name for name in names]
