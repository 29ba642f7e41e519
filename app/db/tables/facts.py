"""Tables that hold facts: rows are added, and the database itself refuses changes to what was observed.

A fact may be deleted, for instance when its retention time is over. Some columns beside the observation may change: the
row's place in a queue, whether it counts, when it was seen last. A sample exists before its answer: its question is
fixed from the start, and its answer once there is one.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

_QUEUE: Final = frozenset({"lease_token", "lease_until", "attempts"})

# Columns of an answer, and of what was observed with it.
ANSWER: Final = frozenset(
    {"prompt_sha256", "raw_sha256", "response", "reasoning", "answer", "followed_format", "finish_reason",
     "tokens_input", "tokens_cached", "tokens_reasoning", "tokens_answer", "cost_usd", "latency_ms", "first_token_ms",
     "served_model", "fingerprint", "answered_at", "provenance", "unanswered"}
)  # fmt: skip
# Condition that a sample has its answer; a carried-over one follows its parent.
ANSWERED: Final = "OLD.state IN ('answered', 'grading', 'graded', 'stuck') AND NOT OLD.provenance ? 'carried_over_from'"

# Columns that may change, by table.
FACTS: Final[Mapping[str, frozenset[str]]] = {
    "audit_log": frozenset(),
    "blobs": frozenset(),
    # The same bytes at the same address are one capture; the other columns describe the last fetch.
    "captures": frozenset(
        {"scrape_run_id", "kind", "contest", "http_status", "classification", "headers", "findings", "records", "shape",
         "review", "fetched_at"}
    ),
    "contest_standings": frozenset(),
    "cutoff_edits": frozenset(),
    "derived_items": frozenset(),
    "difficulties": frozenset(),
    "exposures": frozenset(),
    "external_tables": frozenset({"stored_at"}),
    "given_pieces": frozenset(),
    "grader_revisions": frozenset(),
    "human_fields": frozenset({"stored_at"}),
    "imported_results": frozenset(),
    "ledger": frozenset(),
    "prices": frozenset(),
    # A page that was incomplete when it was read is corrected; the text stays.
    "problem_versions": frozenset(
        {"in_use", "origin", "seen_at", "capture_id", "form", "entry", "time_ms", "memory_mb", "output_kb", "examples",
         "wording"}
    ),
    "programs": frozenset(),
    "protocols": frozenset({"slug", "title", "fingerprint", "body", "revision_of", "orderable", "reports_asked"}),
    "rejudging_approvals": frozenset(),
    "rejudgings": frozenset({"state", "state_since", "predicted", "actual"}),
    "samples": ANSWER | {
        "state", "lease_token", "lease_until", "not_before", "inference_attempts", "requests", "grading_attempts",
        "first_tried_at", "reserved_usd", "reserved_tokens", "error", "error_owner", "own_failures",
    },
    "servings": frozenset(),
    "signatures": frozenset(),
    "snapshots": frozenset(),
    # The same tests may come again from a surer origin.
    "test_sets": _QUEUE | {"proof", "proof_detail", "origin", "setters", "vendors", "brought_by"},
    "tests": frozenset(),
    "vendor_events": frozenset(),
    "verdicts": frozenset({"counts"}),
}  # fmt: skip

# Tables of current state, and of rows derived from others.
CHANGING: Final = frozenset(
    {"alerts", "api_keys", "board_state", "budgets", "cells", "clock_ticks", "contests", "declarations",
     "derivations", "dirty_cells", "disputes", "endpoint_probes", "endpoints", "gateways", "heartbeats",
     "idempotency", "login_links", "models", "obligations", "organisations", "problem_aliases", "problems",
     "public_scores", "rejudged_samples", "reports", "rewrites", "runs", "score_causes", "scrape_runs", "setters",
     "settings", "sign_in_attempts", "sources", "spendings", "submissions", "users", "vendor_invitations",
     "vendor_members", "vendor_sessions", "web_sessions", "webhook_deliveries", "webhooks"}
)  # fmt: skip

TRIGGER: Final = "facts_stay"
ANSWERS_TRIGGER: Final = "answers_stay"
FUNCTION: Final = """
CREATE OR REPLACE FUNCTION refuse_changed_fact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a fact is not changed: %', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$
"""

OWN_TESTS_TRIGGER: Final = "own_tests"
# The problems of answers and of tests never change, so one check on insert is enough.
OWN_TESTS_FUNCTION: Final = """
CREATE OR REPLACE FUNCTION refuse_tests_of_another_problem() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM samples s, test_sets t
               WHERE s.id = NEW.sample_id AND t.id = NEW.test_set_id AND s.problem_id <> t.problem_id) THEN
        RAISE EXCEPTION 'these tests are of another problem than the answer: %', TG_TABLE_NAME
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END $$
"""


def fixed_columns(columns: Iterable[str], may_change: Collection[str]) -> list[str]:
    """Return the columns of a fact table that must not change."""
    return [column for column in columns if column not in may_change]


def guard(table: str, columns: Iterable[str], trigger: str = TRIGGER, when: str | None = None) -> str:
    """Return the statement that creates a trigger against changes of these columns, always or `when` a condition holds.

    Deletes are allowed, and updates of other columns cost nothing.
    """
    names = [f'"{column}"' for column in columns]
    changed = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in names)
    return (
        f"CREATE OR REPLACE TRIGGER {trigger} BEFORE UPDATE OF {', '.join(names)} ON {table} FOR EACH ROW "
        f"WHEN ({changed if when is None else f'{when} AND ({changed})'}) EXECUTE FUNCTION refuse_changed_fact()"
    )


def own_tests(table: str) -> str:
    """Return the statement that creates a trigger against a `sample_id` and `test_set_id` of two problems."""
    return (
        f"CREATE OR REPLACE TRIGGER {OWN_TESTS_TRIGGER} BEFORE INSERT OR UPDATE OF sample_id, test_set_id ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION refuse_tests_of_another_problem()"
    )
