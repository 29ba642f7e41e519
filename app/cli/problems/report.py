"""What an import tells: what it stored, what it could not match, and what waits for a decision."""

import json
from dataclasses import asdict

from app.cli.problems.settle import told_proposal
from app.cli.tables import paragraph, terminal_width
from app.domain.imports import ImportSummary
from app.services.rejudging.views import Proposal

_SHOWN = 10  # so many notes are printed


def tell(summary: ImportSummary, waiting: tuple[Proposal, ...], *, as_json: bool) -> None:
    """Print it, as JSON or in words."""
    if as_json:
        body = {name: value for name, value in asdict(summary).items() if name not in ("test_sets", "runs")}
        body["rejudgings"] = [asdict(proposal) for proposal in waiting]
        print(json.dumps(body, indent=2, ensure_ascii=False))
        return
    width = terminal_width()
    lines = [f"imported {summary.models} models, {summary.problems} problems, {summary.rows} rows"]
    if summary.protocol:
        lines.append(f"see: tidemark board codegen --protocol {summary.protocol}")
    for title, notes in (
        ("not matched to a problem here", summary.unmatched),
        ("notes", summary.notes),
        ("not in the table of known models, so they count as trained until they were added", summary.unknown_models),
        ("refused", [str(row) for row in summary.bad_rows]),
    ):
        if notes:
            lines.append(f"{title} ({len(notes)}):")
            lines += [part for note in notes[:_SHOWN] for part in paragraph(note, width, "  ", "    ")]
            lines += [f"  ... and {len(notes) - _SHOWN} more; --json lists all"] if len(notes) > _SHOWN else []
    for proposal in waiting:
        lines += paragraph(told_proposal(proposal), width, hanging="    ")
    print("\n".join(lines))
