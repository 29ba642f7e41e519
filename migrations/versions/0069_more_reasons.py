"""Reasons of test making, proofs, judges and endpoints become codes, and texts within reasons are read, too."""

import json
import re
from importlib import import_module
from typing import Any

from alembic import op
from sqlalchemy import text

from migrations.reason_columns import (
    SentenceReader,
    change_values,
    drop_functions,
    read_columns,
    say_columns,
)

revision: str = "0069"
down_revision: str | None = "0068"

_COLUMNS = (
    ("settings", "reason"), ("endpoints", "stopped_reason"), ("samples", "error"), ("rejudged_samples", "error"),
)  # fmt: skip
# In these columns and sentences a cause may be one of the sentences below, as they were written until now.
_BEFORE = import_module("migrations.versions.0068_reasons")
_SENTENCES = {
    "ended_asker": "the worker died each time it was asked ({n} attempts)",
    "ended_server": "its server died each time it was asked ({n} attempts)",
    "ended_worker": "judging ended its worker {n} times",
    "few_validators": "validators of {cause} could be used; two are needed",
    "few_brutes": "brute forces of {cause} are left; two are needed",
    "few_solutions": "{n} solutions of {cause} are left; {least} of two are needed",
    "no_vendors": "no vendors",
    "one_vendor": "one vendor",
    "vendors": "{n} vendors",
    "no_legal_input": "no input that a generator made is legal by two vendors' validators",
    "no_joint_checker": "several answers may be right, and setters of two vendors agree on no checker",
    "no_joint_interactor": "interactors of two vendors are needed that say the same",
    "compared_by_type": (
        "several returned values may be right, and values are only compared by their types: import the "
        "problem with tests of its own"
    ),
    "disputed_inputs": "programs contradict each other on {n} small inputs, and nothing says who is right",
    "contested_inputs": "a vendor holds {n} of {total} legal inputs to be illegal and answers otherwise",
    "few_truths": "brute forces of two vendors answer {n} inputs alike; {least} are needed",
    "large_dissent": "solutions contradict each other on {n} of {total} large inputs",
    "no_large_answer": "no large input has an answer that stands; what counts is an input's size, not its kind",
    "never_tried": "it is not proven",
    "nothing_proven": "nothing is proven",
    "long_build": "the problem takes more than {n} s of judging",
    "form_without_suite": "no suites are made by consensus for problems of form {what}",
    "build_ended_worker": "by our fault: playing them ended its worker each time",
    "asked_again": "{cause}, and its setters were asked again",
    "asked_again_times": "{cause}, and its setters were asked again {n} times",
    "calls_spent": "its bound is reached: {spent} of {limit} calls are used up",
    "tokens_spent": "its bound is reached: {spent} of {limit} tokens are used up",
    "usd_spent": "its bound is reached: {spent} of {limit} are used up",
    "judge_s_spent": "its bound is reached: {spent} of {limit} seconds of judging are used up",
    "no_test": "there is no test",
    "few_tests": "{n} tests are too few",
    "references_differ": "the references disagree on {n} of {total} inputs",
    "examples_differ": "the references answer {n} of the examples otherwise than stated",
    "invalid_inputs": "{n} of {total} inputs are invalid or have no answer",
    "no_large_test": "none of the {n} large inputs is in the suite: too slow programs would pass",
    "wrong_pass": "known-wrong programs are accepted: {cause}",
    "wrong_passes": "known-wrong program {what} is accepted",
    "shams_pass": "sham programs are accepted: {cause}",
    "nothing_caught": "nothing shows that the suite catches anything: no mutant, no wrong program",
    "low_mutation_score": "the mutation score {value} is below {least}",
    "slow_references": "no reference is quick enough for every test",
    "reference_gets": "reference {what} gets {verdict}",
    "reference_gets_on": "reference {what} gets {verdict} on test {n} of {total}",
    "lacks_packages": "needs {cause}, which the judge's packages do not have",
    "judge_failed": "{what}: {cause}",
    "on_test": "test {n}: {cause}",
    "not_judged_here": "{what} is not judged here: {cause}",
    "machine_busy": "the machine was busy: {without} ms without a CPU, of {total} ms",
    "preamble_fails": "the problem's preamble fails by itself: {cause}",
    "compiling_waits": "compiling: {cause}",
    "comparing_waits": "what a program returned could not be compared: {cause}",
    "sandbox_ended": "the sandbox ended in the middle of a test",
    "sandbox_ended_by": "the sandbox ended: {cause}",
    "sandbox_closed": "the sandbox is closed",
    "sandbox_failed": "the sandbox failed at {what}: {cause}",
    "checker": "the checker {cause}",
    "interactor": "the interactor {cause}",
    "checker_waits": "the checker: {cause}",
    "interactor_waits": "the interactor: {cause}",
    "out_of_memory": "broke its limits: more MiB of memory than it may have",
    "out_of_output": "broke its limits: too much output",
    "out_of_time": "broke its limits: {cpu} ms of CPU in {wall} ms",
    "short_of_memory": "failed: exit code {n}, as when memory is short: {cause}",
    "ended_with": "failed: {cause}",
    "many_scores": "gave {n} scores instead of one",
    "score_range": "gave the score {value}; it must be from 0 to 1",
    "language_allowed": "must be in one of {what}",
    "language_missing": "is in {what}: {cause}",
    "uncompiled": "does not compile: {cause}",
    "fails_jury": "fails with the jury's answer (test {n}), and no reference shows that it works",
    "fails_silence": "fails with a program that says nothing (test {n}), and no reference shows that it works",
    "no_end": "kept the program waiting, or did not end when the program had",
    "answered": "answered {n}",
    "answered_with": "answered {n}: {cause}",
    "redirects": "answered a redirect ({n}); redirects are not followed",
    "unsendable": "the endpoint's key or address holds characters that no HTTP request can carry",
    "no_url": "the address is not a URL",
    "no_https": "the address is not https: begin it with https://",
    "unreadable_host": "the address has an unreadable host",
    "no_host": "the address has no host",
    "named_user": "the address contains a user name or password; give the key as the secret instead",
    "other_host": "the address leads to another host than the one that was judged",
    "host_spelling": "write the host as it is looked up: {what}",
    "unresolved": "{what} does not resolve",
    "no_port": "{what} is not a port",
    "not_public": "{what} resolves to an address that is not public ({cause})",
    "plain_http": "{what} must be called over https",
    "bad_request": "cannot be asked: {cause}",
    "our_network": "our network failed: {cause}",
    "no_connection": "took no connection within {seconds} s",
    "no_certificate": "cannot be reached, its certificate is not accepted: {cause}",
    "no_tls": "cannot be reached, TLS failed: {cause}",
    "no_name": "cannot be reached, its name does not resolve: {cause}",
    "no_welcome": "cannot be reached, it refused the connection: {cause}",
    "unreachable": "cannot be reached: {cause}",
    "no_http": "answered something that is no HTTP: {cause}",
    "silent_stream": "began to answer and then said nothing for {seconds} s",
    "silent": "said nothing for {seconds} s",
    "no_reply": "did not answer within {seconds} s",
    "broke_connection": "broke the connection ({what})",
    "large_reply": "answered more than {n} MiB",
    "odd_encoding": "answered in an encoding nobody asked for",
    "slice_ended": "the slice ended before an answer",
    "run_ended": "its run was paused or ended",
    "client_failed": "our client failed ({what})",
    "secret_lost": "its secret was lost with our key; register it again",
    "key_missing": (
        "the secrets of {n} endpoints cannot be opened, because the secret key is missing or damaged: put "
        "secret.key (or TIDEMARK_SECRET_KEY) back from a backup and start again"
    ),
    "key_differs": (
        "the secrets of {n} endpoints cannot be opened, because the secret key is not the one that they were "
        "sealed with: put secret.key (or TIDEMARK_SECRET_KEY) back from a backup and start again"
    ),
    "no_reason": "no reason given",
}  # fmt: skip
_PAGE_CLASSES = (
    "ok", "blocked", "rate_limited", "login", "paid_only", "not_found", "not_open", "format_changed", "unreachable",
)  # fmt: skip
_FINDINGS = (
    "another_page", "bad_row", "bad_rows", "broken_metadata", "calendar_unread", "challenge", "contests_missing",
    "contests_unknown", "cut", "dates_differ", "day_spent", "drop", "empty", "empty_statement", "encoding",
    "error_page", "extended", "failed", "graphql_error", "implausible_date", "language", "limit", "list_cut",
    "login", "missing_date", "missing_id", "missing_limits", "missing_samples", "missing_signature",
    "missing_statement", "missing_title", "no_changes", "no_contest", "no_contests", "no_dates", "no_models",
    "no_problems", "no_question", "no_standings", "no_statement", "no_status", "no_tasks", "noai", "not_found",
    "not_json", "not_open", "not_ratings", "paid_only", "parser", "refused", "response", "sample_from_testcases",
    "samples_differ", "statement_in_pdf", "status", "tasks_missing", "tex", "too_large", "too_long", "too_many",
    "unavailable", "unknown_layout", "unofficial_rows", "unpaired_sample", "unreachable", "unreadable_problem",
    "unreadable_sample", "unreadable_task", "values",
)  # fmt: skip
_JOINTS = {"listed": ", ", "classed": ": "}
_SAID_ONLY = {
    **{f"page.{word}": word for word in _PAGE_CLASSES}, **{f"found.{code}": "{cause}" for code in _FINDINGS},
    "pages": "{cause} {n}", "finding": "{what}: {cause}", "text": "{cause}",
}  # fmt: skip
_NEW_CODES = (_SENTENCES.keys() - {"ended_asker", "ended_server", "ended_worker"}) | _SAID_ONLY.keys() | _JOINTS.keys()

_WORD, _HOST, _NUMBER, _RATE, _SECONDS = r"\w+", r"\S+", r"\d{1,9}", r"\d\.\d\d", r"\d[\d.e+]*"
_WHAT = {
    **_BEFORE.SPELLINGS,
    "form_without_suite": "[a-z]+", "wrong_passes": ".{1,200}", "reference_gets": ".{1,200}",
    "reference_gets_on": ".{1,200}", "judge_failed": r"[A-Z]\w*(?:Error|Failed|Uncompiled|Busy|Unavailable|Exception)",
    "not_judged_here": r"[a-z][\w+#-]*", "sandbox_failed": "[a-z ]+|[0-9]+", "language_allowed": r"[\w+#, -]+",
    "language_missing": r"[a-z][\w+#-]*", "host_spelling": _HOST, "unresolved": _HOST, "no_port": r"-?\d+",
    "not_public": _HOST, "plain_http": _HOST, "broke_connection": _WORD, "client_failed": _WORD,
}  # fmt: skip
_FIELDS: dict[str, dict[str, str]] = {
    **{
        code: {
            "verdict": "[A-Z]{2,3}", "total": _NUMBER, "least": _NUMBER, "without": _NUMBER, "cpu": _NUMBER,
            "wall": _NUMBER, "seconds": _SECONDS,
        }
        for code in _SENTENCES
    },
    **{code: {"spent": _NUMBER, "limit": _NUMBER} for code in ("calls_spent", "tokens_spent", "judge_s_spent")},
    "low_mutation_score": {"value": _RATE, "least": _RATE}, "score_range": {"value": r"[\d.]+"},
    "answered": {"n": r"\d{3}"}, "answered_with": {"n": r"\d{3}"}, "redirects": {"n": r"\d{3}"},
}  # fmt: skip
_VENDORS = ("no_vendors", "one_vendor", "vendors")
_HELPER_FAULTS = (
    "out_of_memory", "out_of_output", "out_of_time", "short_of_memory", "ended_with", "many_scores", "score_range",
    "language_allowed", "language_missing", "uncompiled", "fails_jury", "fails_silence", "no_end",
)  # fmt: skip
_INNER = {
    "few_validators": _VENDORS, "few_brutes": _VENDORS, "few_solutions": _VENDORS,
    "checker": _HELPER_FAULTS, "interactor": _HELPER_FAULTS,
    "checker_waits": ("machine_busy",), "interactor_waits": ("machine_busy",),
    "compiling_waits": ("machine_busy",), "comparing_waits": ("machine_busy",),
}  # fmt: skip


def _read_codes(said: str) -> Any:
    """Return codes of findings as a list of what was found, if all are known."""
    codes = said.split(", ")
    if not set(codes) <= set(_FINDINGS):
        return said
    return {"code": "listed", "cause": [{"code": f"found.{code}", "cause": code} for code in codes]}


def _read_pages(said: str) -> Any:
    """Return numbers of pages by class as a list."""
    found = [re.fullmatch(r"([a-z_]+) (\d{1,9})", part) for part in said.split(", ")]
    if not all(match is not None and match[1] in _PAGE_CLASSES for match in found):
        return said
    pages = [
        {"code": "pages", "params": {"n": int(match[2])}, "cause": {"code": f"page.{match[1]}"}}
        for match in found
        if match is not None
    ]
    return {"code": "listed", "cause": pages}


_READER = SentenceReader(
    {**_BEFORE.SENTENCES, **_SENTENCES},
    {
        code: _FIELDS.get(code, {}) | ({"what": _WHAT[code]} if code in _WHAT else {})
        for code in _FIELDS.keys() | _WHAT.keys()
    },
    ("paired_gaps", "conditional_estimates"),
    "its bound is reached: ",
    inner=_INNER,
    causes={"findings": _read_codes, "odd": _read_codes, "pages_unread": _read_pages},
    said_only=_SAID_ONLY,
    joints=_JOINTS,
)
read_reason = _READER.read_exactly

_PROOFS = "FROM test_sets WHERE jsonb_typeof(proof_detail -> 'reason')"
_MARKS = "FROM problems WHERE audit_flags ? 'quarantine'"


def upgrade() -> None:
    """Each value says in English exactly what stood there."""
    connection = op.get_bind()
    read_columns(_READER, _COLUMNS, [text(f"SELECT DISTINCT proof_detail ->> 'reason' {_PROOFS} = 'string'")])
    connection.execute(
        text(
            "UPDATE test_sets SET proof_detail = jsonb_set(proof_detail, '{reason}', "
            "pg_temp.read_reason(proof_detail ->> 'reason')) WHERE jsonb_typeof(proof_detail -> 'reason') = 'string'"
        )
    )
    drop_functions("read_reason", "read_reasons")
    _change_rounds(_READER.read_inside)
    _change_marks(_READER.read_inside)
    change_values(_BEFORE.COLUMNS, _READER.read_inside)


def downgrade() -> None:
    """Reasons of these columns as English text, and the new codes within reasons, too."""
    connection = op.get_bind()
    change_values(_BEFORE.COLUMNS, _say_new_codes)
    _change_marks(_say_new_codes)
    _change_rounds(_READER.say)
    say_columns(_READER, _COLUMNS, [text(f"SELECT DISTINCT proof_detail -> 'reason' {_PROOFS} = 'object'")])
    connection.execute(
        text(
            "UPDATE test_sets SET proof_detail = jsonb_set(proof_detail, '{reason}', "
            "to_jsonb(pg_temp.say_reason(proof_detail -> 'reason'))) "
            "WHERE jsonb_typeof(proof_detail -> 'reason') = 'object'"
        )
    )
    drop_functions("say_reason", "said_reasons")


def _say_new_codes(reason: Any) -> Any:
    return _READER.say_inside(_NEW_CODES, reason)


def _change_rounds(change: Any) -> None:
    """Change the reasons of the rounds in which answers went back to setters."""
    connection = op.get_bind()
    rows = connection.execute(text("SELECT id, rounds FROM settings WHERE rounds <> CAST('[]' AS jsonb)")).all()
    for number, rounds in rows:
        changed = [{**entry, "reason": change(entry["reason"])} for entry in rounds]
        connection.execute(
            text("UPDATE settings SET rounds = CAST(:rounds AS jsonb) WHERE id = :id"),
            {"rounds": json.dumps(changed), "id": number},
        )


def _change_marks(change: Any) -> None:
    """Change the reasons for which problems are in quarantine."""
    connection = op.get_bind()
    rows = connection.execute(text(f"SELECT id, audit_flags -> 'quarantine' {_MARKS}")).all()
    for number, reason in rows:
        connection.execute(
            text(
                "UPDATE problems SET audit_flags = jsonb_set(audit_flags, '{quarantine}', CAST(:reason AS jsonb)) "
                "WHERE id = :id"
            ),
            {"reason": json.dumps(change(reason)), "id": number},
        )
