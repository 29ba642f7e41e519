"""Reasons of our own rules as values: a code with its parameters and its cause, and the English of every code.

A rule makes a `Reason`, the database stores it as JSON, and the edges say it: in English by the sentences below (API,
command line, logs, alerts), on pages by the catalogues of words. Text that a person, a program or a site wrote stays
plain text and stands where reasons stand.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn, Self

from app.domain.methods import METHODS

Params = Mapping[str, str | int]
Cause = str | tuple[str, ...] | None  # a `Reason` or free text; several only for the code `several`

INCOMPLETE: Final = "odd"  # the code of data that came and look incomplete
HOLD_PREFIX: Final = "hold."  # codes of the rules of publishing, each with a suggestion on the quarantine page

# The English sentence of each code. `{cause}` is the cause's own sentence; a code without it takes no cause.
SENTENCES: Final[Mapping[str, str]] = {
    # Publishing
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
    # Problems, models and scores in the public ledger
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
    "shipped": "shipped with Tidemark",
    "another_trial": "another trial stands",
    "several": "{cause}",
    **METHODS,
    # Runs and submissions
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
    # Judging
    "no_self_test": "the sandbox's self-test has not passed",
    "ended_worker": "judging ended its worker {n} times",
    "ended_server": "its server died each time it was asked ({n} attempts)",
    "ended_asker": "the worker died each time it was asked ({n} attempts)",
    "no_judge": "no judge has been heard of lately",
    "disk_full": "{what} has {n} MB left on its disk; work goes on with {least} MB",
    "clock_ahead": (
        "the clock of this machine is {n} s ahead of the database's; work goes on when it is within {most} s"
    ),
    "clock_behind": (
        "the clock of this machine is {n} s behind the database's; work goes on when it is within {most} s"
    ),
    "unreported": "no judge has reported yet",
    # Visits to sites
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
    INCOMPLETE: "looks incomplete: {cause}",
    "given_up": "given up: {cause}",
    "list_unread": "the list cannot be read: {cause}",
    "format_changed": "format_changed: {cause}",
    "lists_lack": "the site's lists lack {n} contests: {cause}",
    "other_lacks": "the other list lacks {n} contests: {cause}",
    # Ways to act
    "asked_for": "asked for on the command line",
    "one_time": "one-time link",
    "vendor_api": "vendor API",
    "saved_file": "a saved file",
    # Alerts
    "visit_failed": "{what}: last visit failed: {cause}",
    "visit_blocked": "{what}: last visit blocked: {cause}",
    "unpublished": "{what} ended and nothing of it was published; problems waiting: {n}",
    "unpublished_why": "{what} ended and nothing of it was published; problems waiting: {n}, most often: {cause}",
    "quarantine": "{what}: quarantine grows; problems held in two weeks: {n}, most often: {cause}",
    "lists": "{what}: two lists of contests differ: {cause}",
    "nothing_judged": "nothing is judged: {cause}",
    "host_hindered": "workers on {what} do nothing: {cause}",
    "behind": (
        "judging falls behind though judges say that they are ready; answers that wait longer than half an hour: "
        "{n}, the first since {what}"
    ),
    "late": "{what} ended {at} and its problems are not here",
    "late_why": "{what} ended {at} and its problems are not here: {cause}",
    "stale": "{what} was last visited {at}",
    "calendar_unread": "{what}: its calendar could not be read whole: {cause}",
    "checker_failed": (
        "{what}: its checker or interactor failed on {n} answers, which count as wrong; "
        "if it is at fault, mend the package and rejudge"
    ),
    "job_failed": "the job {what} failed and has not succeeded since: {cause}",
    "worker_ended": "its worker was ended meanwhile",
    "askers_silent": "no inference worker has been heard of since {at}; requests waiting: {n}",
    "gpu_silent": "GPU worker {what} was last heard of {at}; requests waiting for weights of our own: {n}",
    "gpu_failed": "GPU worker {what} serves nothing: {cause}",
    "unsaid": "it does not say why",
    "control_silent": (
        "the control host did not answer when endpoints failed, so that our network is taken to be at fault; "
        "requests waiting: {n}; look at TIDEMARK_CONTROL_URL and at the network"
    ),
}

SEVERAL: Final = "several"  # the code of reasons that hold together, none of them the cause of another
_JOINT: Final = "; "


class Reason(str):
    """A reason of one of our rules; as a string it is its English sentence. Immutable.

    `params` fill the sentence's fields. `cause` is why: another reason, or text of a program, a site or a person.
    """

    __slots__ = ("cause", "code", "params")
    code: str
    params: Params
    cause: Cause

    def __new__(cls, code: str, params: Params | None = None, cause: Cause = None) -> Self:
        """Raises KeyError for an unknown code, or if a field of its sentence has no value."""
        fields = dict(params or {})
        words = {} if cause is None else {"cause": cause if isinstance(cause, str) else _JOINT.join(cause)}
        reason = super().__new__(cls, SENTENCES[code].format(**fields, **words))
        for name, value in (("code", code), ("params", fields), ("cause", cause)):
            super().__setattr__(reason, name, value)
        return reason

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse a change. Raises AttributeError."""
        raise AttributeError(f"a reason is not changed: {name}")

    def __reduce__(self) -> tuple[type["Reason"], tuple[str, Params, Cause]]:
        """Return how a copy is made."""
        return Reason, (self.code, self.params, self.cause)


def join_reasons(reasons: Iterable[str], max_chars: int) -> str:
    """Return reasons that hold together as one; what exceeds `max_chars` of their English is cut."""
    kept: list[str] = []
    left = max_chars
    for reason in reasons:
        if left <= 0:
            break
        kept.append(reason if len(reason) <= left else str(reason)[:left])
        left -= len(reason) + len(_JOINT)
    return kept[0] if len(kept) == 1 else Reason(SEVERAL, cause=tuple(kept))


def reason_to_json(reason: str) -> Any:
    """Return a reason as it is stored: an object with its code, or free text as a string."""
    if not isinstance(reason, Reason):
        return reason
    stored: dict[str, Any] = {"code": reason.code}
    if reason.params:
        stored["params"] = dict(reason.params)
    if reason.cause is not None:
        causes = reason.cause
        stored["cause"] = (
            reason_to_json(causes) if isinstance(causes, str) else [reason_to_json(cause) for cause in causes]
        )
    return stored


def reason_from_json(stored: Any) -> str:
    """Return a stored reason. Raises KeyError for an unknown code."""
    if isinstance(stored, str):
        return stored
    cause = stored.get("cause")
    if isinstance(cause, list):
        return Reason(stored["code"], stored.get("params"), tuple(map(reason_from_json, cause)))
    return Reason(stored["code"], stored.get("params"), None if cause is None else reason_from_json(cause))
