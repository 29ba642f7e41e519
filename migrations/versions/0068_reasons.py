"""Reasons of our own rules become codes with parameters; text of people, programs and sites stays text."""

from alembic import op
from sqlalchemy import text

from migrations.reason_columns import SentenceReader, drop_functions, read_columns, say_columns

revision: str = "0068"
down_revision: str | None = "0067"

COLUMNS = (
    ("problems", "hold_reason"), ("obligations", "reason"), ("scrape_runs", "reason"), ("ledger", "reason"),
    ("rejudgings", "reason"), ("audit_log", "reason"), ("snapshots", "reason"), ("runs", "state_reason"),
    ("submissions", "state_reason"), ("alerts", "message"),
)  # fmt: skip

# Sentences as they were written until now. A number is {n}, a name {what} or another word, and the rest {cause}.
SENTENCES = {
    "hold.no_date": "no release date",
    "hold.no_statement": "no statement",
    "hold.no_tests": "no full tests: {n} public samples only",
    "hold.unsent": (
        "no full tests: its statements may not be sent to models, so no setter is asked; import tests or allow it"
    ),
    "hold.unset": "no full tests: {cause}",
    "hold.no_entry": "what programs must define is not known",
    "hold.no_interactor": "interactive, and no interactor",
    "hold.no_checker": "several answers are right, and no checker knows them",
    "hold.inner_order": "it is not said whether the order within inner lists matters",
    "hold.image": "its statement has an image, which may be needed",
    "hold.no_limits": "its {what} not known",
    "hold.needs": "needs {cause}, which is not here",
    "hold.unfit": "cannot be judged: {cause}",
    "hold.disagree": "accepted programs disagree: {cause}",
    "hold.audit": "better models do worse on it: {cause}",
    "hold.unproven": "its tests could not be proven, by our fault: {cause}",
    "hold.refuted": "tests refuted: {cause}",
    "attempts_failed": "proving them ended its worker each time",
    "reference_fails": "a reference program fails them",
    "discrimination": "discrimination {value}, at most {upper}",
    "published": "published",
    "imported": "imported: {what}",
    "imported_from": "imported from {what}",
    "bundled": "bundled to show how it works",
    "submission": "submission {what}",
    "earlier": "its contest began earlier",
    "source_changed": "its source changed what is asked",
    "made": "made from its references",
    "proven": "its proof succeeded",
    "other_tests": "other tests ({what}): {cause}",
    "toolchain": "a new toolchain, policy or sandbox judges now",
    "week": "the week's default view",
    "no_evidence": "no evidence of its cutoff was accepted",
    "known_table": "from the table of known models",
    "another_trial": "another trial stands",
    "paired_gaps": "Gaps on boards are paired means over the problems judged for both rows.",
    "conditional_estimates": "Estimates on all problems condition on earlier answers, or are not shown.",
    "in_vain": "no answer came within {n} days",
    "in_vain_after": "no answer came within {n} days: {cause}",
    "run_cancelled": "its submission was cancelled",
    "run_done": "its window was ordered and is done",
    "run_was_cancelled": "its run was cancelled: {cause}",
    "logged_fault": "a fault of ours was logged: {what}",
    "endpoint_stopped": "the endpoint was stopped",
    "requests_refused": "its requests are refused",
    "unjudged": "no answer was judged",
    "by_vendor": "by the vendor",
    "submission_failed": "its submission failed",
    "window_empty": "no problem that its protocol covers came out in its window",
    "took_longer": "{what} took longer than promised",
    "protocol_revised": "its protocol has another revision",
    "setter_removed": "its setter was removed",
    "no_price": "the price of a call is not known, so that {cause} cannot be kept",
    "budget_spent": "{cause} is used up: {spent} of {limit} are spent, and the next call may cost {usd}",
    "budget_reserved": "{cause} is used up: {spent} of {limit} are spent, and calls under way may cost {usd}",
    "own_budget": "its budget",
    "own_daily_budget": "its daily budget",
    "service_budget": "the budget of this service",
    "service_daily_budget": "the daily budget of this service",
    "vendor_budget": "the budget of {what}",
    "vendor_daily_budget": "the daily budget of {what}",
    "no_self_test": "the sandbox's self-test has not passed",
    "no_judge": "no judge has been heard of lately",
    "findings": "{n} findings: {cause}",
    "worker_died": "its worker died",
    "our_fault": "our fault: {cause}",
    "not_there": "it is not there yet",
    "no_problems": "it lists no problems yet",
    "not_over": "its own page says it is not over",
    "pages_unread": "could not be read: {cause}",
    "no_ends": "no contest of the list has an end: it cannot be read any more",
    "pages_spent": "{n} pages asked for; the next run goes on",
    "not_listed": "the site's lists do not show it",
    "odd": "looks incomplete: {cause}",
    "given_up": "given up: {cause}",
    "list_unread": "the list cannot be read: {cause}",
    "format_changed": "format_changed: {cause}",
    "lists_lack": "the site's lists lack {n} contests: {cause}",
    "other_lacks": "the other list lacks {n} contests: {cause}",
    "asked_for": "asked for on the command line",
    "one_time": "one-time link",
    "vendor_api": "vendor API",
    "saved_file": "a saved file",
}  # fmt: skip

# Spellings of {what} where any word would take other text for a reason; alerts are made anew each minute, as values.
SPELLINGS = {
    "hold.no_limits": r"(?:(?:time|memory) limit is|time and memory limits are)",
    "imported": "[a-z0-9-]+",
    "imported_from": "[a-z0-9-]+",
    "submission": "sub_[0-9a-f]+",
    "other_tests": "[^()]*",
    "logged_fault": r"\w+",
    "took_longer": "[a-z]+",
    "vendor_budget": "[^:]{1,100}",
    "vendor_daily_budget": "[^:]{1,100}",
}
_METHODS = ("paired_gaps", "conditional_estimates")
_READER = SentenceReader(SENTENCES, {code: {"what": spelling} for code, spelling in SPELLINGS.items()}, _METHODS)
read_reason = _READER.read


def upgrade() -> None:
    """Sentences of our rules are read once; each value says in English exactly what stood there."""
    read_columns(_READER, COLUMNS, [text("SELECT DISTINCT audit_flags ->> 'quarantine' FROM problems")])
    op.get_bind().execute(
        text(
            "UPDATE problems SET audit_flags = jsonb_set(audit_flags, '{quarantine}', "
            "pg_temp.read_reason(audit_flags ->> 'quarantine')) WHERE audit_flags ? 'quarantine'"
        )
    )
    drop_functions("read_reason", "read_reasons")


def downgrade() -> None:
    """Reasons as English text, with alerts as keys until the next minute."""
    connection = op.get_bind()
    connection.execute(text("UPDATE alerts SET message = to_jsonb(key) WHERE jsonb_typeof(message) = 'object'"))
    marks = text("SELECT DISTINCT audit_flags -> 'quarantine' FROM problems WHERE audit_flags ? 'quarantine'")
    say_columns(_READER, COLUMNS, [marks])
    connection.execute(
        text(
            "UPDATE problems SET audit_flags = jsonb_set(audit_flags, '{quarantine}', "
            "to_jsonb(pg_temp.say_reason(audit_flags -> 'quarantine'))) WHERE audit_flags ? 'quarantine'"
        )
    )
    drop_functions("say_reason", "said_reasons")
