"""Reasons that our own rules write, told from free text by their wording, so that they can be said in any language."""

import re
from collections.abc import Callable
from typing import NamedTuple

from app.domain.methods import METHODS

_HOLDS = {
    "hold.no_date": r"no release date",
    "hold.no_statement": r"no statement",
    "hold.no_tests": r"no full tests: (?P<n>\d{1,9}) public samples only",
    "hold.unsent": (
        r"no full tests: its statements may not be sent to models, so no setter is asked; import tests or allow it"
    ),
    "hold.unset": r"no full tests: (?P<rest>.*)",
    "hold.no_entry": r"what programs must define is not known",
    "hold.no_interactor": r"interactive, and no interactor",
    "hold.no_checker": r"several answers are right, and no checker knows them",
    "hold.inner_order": r"it is not said whether the order within inner lists matters",
    "hold.image": r"its statement has an image, which may be needed",
    "hold.no_limits": r"its (?:(?:time|memory) limit is|time and memory limits are) not known",
    "hold.needs": r"needs (?P<rest>.*), which is not here",
    "hold.unfit": r"cannot be judged: (?P<rest>.*)",
    "hold.disagree": r"accepted programs disagree: (?P<rest>.*)",
    "hold.audit": r"better models do worse on it: (?P<rest>.*)",
    "hold.unproven": r"its tests could not be proven, by our fault: (?P<rest>.*)",
    "hold.refuted": r"tests refuted: (?P<rest>.*)",
}

_NAME, _N = r"(?P<what>[^:\n]{1,80})", r"(?P<n>\d{1,9})"
_NOTHING = rf"(?P<what>[^\s:]{{1,80}}) ended and nothing of it was published; problems waiting: {_N}"

# What stands elsewhere; a `rest` is often a reason again.
_OTHERS = {
    "reason.published": r"published",
    "reason.imported": r"imported: (?P<what>[a-z0-9-]+)",
    "reason.imported_from": r"imported from (?P<what>[a-z0-9-]+)",
    "reason.bundled": r"bundled to show how it works",
    "reason.submission": r"submission (?P<what>sub_[0-9a-f]+)",
    "reason.earlier": r"its contest began earlier",
    "reason.source_changed": r"its source changed what is asked",
    "reason.made": r"made from its references",
    "reason.proven": r"its proof succeeded",
    "reason.other_tests": r"other tests \((?P<what>[^()]*)\): (?P<rest>.*)",
    "reason.toolchain": r"a new toolchain, policy or sandbox judges now",
    "reason.week": r"the week's default view",
    "reason.no_evidence": r"no evidence of its cutoff was accepted",
    "reason.known_table": r"from the table of known models",
    "reason.shipped": r"shipped with Tidemark",
    "reason.in_vain": r"no answer came within (?P<n>\d{1,9}) days",
    "reason.run_cancelled": r"its submission was cancelled",
    "reason.run_done": r"its window was ordered and is done",
    "reason.no_self_test": r"the sandbox's self-test has not passed",
    "reason.ended_worker": r"judging ended its worker (?P<n>\d{1,9}) times",
    "reason.findings": r"(?P<n>\d{1,9}) findings: (?P<rest>.*)",
    "reason.worker_died": r"its worker died",
    "reason.our_fault": r"our fault: (?P<rest>.*)",
    "reason.not_there": r"it is not there yet",
    "reason.not_listed": r"the site's lists do not show it",
    "reason.odd": r"looks incomplete: (?P<rest>.*)",
    "reason.given_up": r"given up: (?P<rest>.*)",
    "reason.asked_for": r"asked for on the command line",
    "reason.one_time": r"one-time link",
    "reason.vendor_api": r"vendor API",
    "reason.saved_file": r"a saved file",
    "reason.unpublished": _NOTHING,
    "reason.unpublished_why": rf"{_NOTHING}, most often: (?P<rest>.*)",
    "reason.quarantine": rf"{_NAME}: quarantine grows; problems held in two weeks: {_N}, most often: (?P<rest>.*)",
    "reason.lists": rf"{_NAME}: two lists of contests differ: (?P<rest>.*)",
    "reason.lists_lack": rf"the site's lists lack {_N} contests: (?P<rest>.*)",
    "reason.nothing_judged": r"nothing is judged: (?P<rest>.*)",
    "reason.host_hindered": r"workers on (?P<what>[^:]{1,200}) do nothing: (?P<rest>.*)",
    "reason.behind": (
        r"judging falls behind though judges say that they are ready; answers that wait longer than half an hour: "
        rf"{_N}, the first since (?P<what>[\w :-]{{1,20}})"
    ),
    "reason.no_judge": r"no judge has been heard of lately",
    "reason.visit_failed": rf"{_NAME}: last visit failed: (?P<rest>.*)",
    "reason.visit_blocked": rf"{_NAME}: last visit blocked: (?P<rest>.*)",
    "reason.list_unread": r"the list cannot be read: (?P<rest>.*)",
    "reason.format_changed": r"format_changed: (?P<rest>.*)",
    "reason.other_lacks": rf"the other list lacks {_N} contests: (?P<rest>.*)",
    **{f"reason.{name}": rf"{re.escape(sentence)}(?:; (?P<rest>.*))?" for name, sentence in METHODS.items()},
}


class Part(NamedTuple):
    """A piece of a reason: a key with what stands in its words, or `text` as it was written."""

    key: str | None
    n: int | None
    what: str | None
    text: str


def parts_of(text: str | None) -> tuple[Part, ...]:
    """A reason in pieces, our own wording told from what people or programs wrote; no text is no pieces."""
    parts, rest = [], text or ""
    while rest:
        part, rest = _first(rest)
        parts.append(part)
    return tuple(parts)


def _first(text: str) -> tuple[Part, str]:
    for key, pattern in (_OTHERS | _HOLDS).items():
        match = re.fullmatch(pattern, text, re.DOTALL)
        if match is not None:
            data = match.groupdict()
            return Part(key, int(data["n"]) if "n" in data else None, data.get("what"), ""), data.get("rest") or ""
    return Part(None, None, None, text), ""


def rule_of(text: str | None) -> str | None:
    """The key of the publishing rule that a reason begins with, if one does."""
    return next((part.key for part in parts_of(text)[:1] if part.key in _HOLDS), None)


def in_words(t: Callable[..., str], text: str | None) -> str:
    """A reason as plain text in the language of `t`."""
    return " ".join(t(part.key, n=part.n, what=part.what) if part.key else part.text for part in parts_of(text))
