"""Which tables hold facts: rows are added, and what was observed is never changed; the database itself refuses.

A fact may be deleted, as when a time of keeping is over, and some columns beside what was observed may change: where
the row stands in a queue, whether it counts, when it was seen last.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

_QUEUE: Final = frozenset({"lease_token", "lease_until", "attempts"})

# By table: the columns that may change.
FACTS: Final[Mapping[str, frozenset[str]]] = {
    "audit_log": frozenset(),
    "blobs": frozenset(),
    # The same bytes at the same address are one capture; how they came and are read is what was seen last.
    "captures": frozenset(
        {"scrape_run_id", "kind", "contest", "http_status", "classification", "headers", "findings", "records", "shape",
         "review", "fetched_at"}
    ),
    "contest_standings": frozenset(),
    "cutoff_edits": frozenset(),
    "difficulties": frozenset(),
    "exposures": frozenset(),
    "grader_revisions": frozenset(),
    "human_fields": frozenset({"stored_at"}),
    "imported_results": frozenset(),
    "ledger": frozenset(),
    # A page that was incomplete when it was read is corrected; the text it asks stays.
    "problem_versions": frozenset(
        {"in_use", "origin", "seen_at", "capture_id", "form", "entry", "time_ms", "memory_mb", "output_kb", "examples"}
    ),
    "programs": frozenset(),
    "protocols": frozenset({"slug", "title", "fingerprint", "body", "revision_of"}),
    "rejudging_approvals": frozenset(),
    "rejudgings": frozenset({"state", "state_since", "predicted", "actual"}),
    "servings": frozenset(),
    "snapshots": frozenset(),
    # The same tests may come again from a surer origin.
    "test_sets": _QUEUE | {"proof", "proof_detail", "origin", "setters", "brought_by"},
    "tests": frozenset(),
    "verdicts": frozenset({"counts"}),
}  # fmt: skip

# Rows that are as things are now, and those made from other rows.
CHANGING: Final = frozenset(
    {"alerts", "api_keys", "board_state", "budgets", "cells", "clock_ticks", "contests", "dirty_cells", "disputes",
     "endpoints", "heartbeats", "idempotency", "login_links", "models", "obligations", "organisations",
     "problem_aliases", "problems", "rejudged_samples", "reports", "rewrites", "runs", "samples", "scrape_runs",
     "sources", "spendings", "submissions", "users", "web_sessions"}
)  # fmt: skip

TRIGGER: Final = "facts_stay"
FUNCTION: Final = """
CREATE OR REPLACE FUNCTION refuse_changed_fact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a fact is not changed: %', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$
"""


def fixed(columns: Iterable[str], may_change: Collection[str]) -> list[str]:
    """The columns of a table of facts that stay as they were written."""
    return [column for column in columns if column not in may_change]


def guard(table: str, columns: Iterable[str]) -> str:
    """The statement that lets a table refuse changes of these columns; rows may go, and nothing else costs time."""
    names = [f'"{column}"' for column in columns]
    changed = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in names)
    return (
        f"CREATE OR REPLACE TRIGGER {TRIGGER} BEFORE UPDATE OF {', '.join(names)} ON {table} FOR EACH ROW "
        f"WHEN ({changed}) EXECUTE FUNCTION refuse_changed_fact()"
    )
