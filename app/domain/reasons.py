"""Reasons of our own rules as values: a code with its parameters and its cause, and the English of every code.

A rule makes a `Reason`, the database stores it as JSON, and the edges say it: in English by the sentences below (API,
command line, logs, alerts), on pages by the catalogues of words. Text that a person, a program or a site wrote stays
plain text and stands where reasons stand.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NoReturn, Self

from app.domain.sentences import FOUND_PREFIX, SENTENCES
from app.domain.sentences import HOLD_PREFIX as HOLD_PREFIX
from app.domain.sentences import INCOMPLETE as INCOMPLETE

Params = Mapping[str, str | int]
Cause = str | tuple[str, ...] | None  # a `Reason` or free text; several only for the code `several`

# Codes of reasons that hold together, none of them the cause of another, with what stands between them.
SEVERAL: Final = "several"
LISTED: Final = "listed"
CLASSED: Final = "classed"
TEXT: Final = "text"  # the code of free text that stands where a reason is expected; stored as plain text
JOINTS: Final[Mapping[str, str]] = {SEVERAL: "; ", LISTED: ", ", CLASSED: ": "}
_JOINT: Final = JOINTS[SEVERAL]


class Reason(str):
    """A reason of one of our rules; as a string it is its English sentence. Immutable.

    `params` fill the sentence's fields. `cause` is why: another reason, or text of a program, a site or a person. A
    string, so that the API, the command line, logs and comparisons read its English without asking; the price is that
    slicing or joining it gives plain text, without the code. `cut_reason`, `join_reasons` and `map_text` keep the code,
    and columns that only rules write (`RuleReason`) refuse plain text.
    """

    __slots__ = ("cause", "code", "params")
    code: str
    params: Params
    cause: Cause

    def __new__(cls, code: str, params: Params | None = None, cause: Cause = None) -> Self:
        """Raises KeyError for an unknown code, or if a field of its sentence has no value."""
        fields = dict(params or {})
        joint = JOINTS.get(code, _JOINT)
        words = {} if cause is None else {"cause": cause if isinstance(cause, str) else joint.join(cause)}
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


def is_format_changed(reason: str | None) -> bool:
    """Return whether a contest lacks nothing but pages in a form that our reader does not know."""
    if not isinstance(reason, Reason) or reason.code != "pages_unread" or not isinstance(reason.cause, Reason):
        return False
    pages = reason.cause.cause if reason.cause.code == LISTED else reason.cause
    parts = pages if isinstance(pages, tuple) else (pages,)
    classes = [part.cause for part in parts if isinstance(part, Reason)]
    return bool(classes) and all(isinstance(each, Reason) and each.code == "page.format_changed" for each in classes)


def text_reason(text: str) -> Reason:
    """Return text as a reason; one of our rules stays as it is."""
    return text if isinstance(text, Reason) else Reason(TEXT, cause=text)


def error_reason(error: BaseException) -> str:
    """Return an error's message; as a reason if it was raised with one, which `str()` of an error is not."""
    return error.args[0] if error.args and isinstance(error.args[0], Reason) else str(error)


def map_text(reason: str, change: Callable[[str], str]) -> str:
    """Return a reason with every text of it that may not be ours changed."""
    if not isinstance(reason, Reason):
        return change(reason)
    params = {name: change(value) if isinstance(value, str) else value for name, value in reason.params.items()}
    causes = reason.cause
    if isinstance(causes, tuple):
        return Reason(reason.code, params, tuple(map_text(cause, change) for cause in causes))
    return Reason(reason.code, params, None if causes is None else map_text(causes, change))


def cut_reason(reason: str, max_chars: int) -> str:
    """Return a reason whose English has at most `max_chars`; a longer one becomes plain text, and is cut."""
    return reason if len(reason) <= max_chars else str(reason)[:max_chars]


def found_reason(code: str, message: str) -> str:
    """Return what was found on a page as a reason; in English it is the message, elsewhere words for the code."""
    known = f"{FOUND_PREFIX}{code}"
    return message if isinstance(message, Reason) or known not in SENTENCES else Reason(known, cause=message)


def finding_reason(code: str, message: str, subject: str | None = None) -> Reason:
    """Return a finding with its code and its subject as a reason."""
    found = found_reason(code, message)
    return Reason("finding", {"what": code}, Reason(CLASSED, cause=(found, subject)) if subject else found)


def list_findings(codes: Iterable[str]) -> Reason:
    """Return the codes of findings, each once, as a reason."""
    return Reason(LISTED, cause=tuple(found_reason(code, code) for code in dict.fromkeys(codes)))


def count_findings(codes: Iterable[str]) -> Reason:
    """Return the number of findings, with their codes, as a reason."""
    found = tuple(codes)
    return Reason("findings", {"n": len(found)}, list_findings(found))


def storable_reason(reason: str, max_chars: int) -> str:
    """Return a reason of at most `max_chars` without NUL characters, which PostgreSQL cannot store."""
    return cut_reason(map_text(reason, lambda text: text.replace("\0", "")), max_chars)


def join_reasons(reasons: Iterable[str], max_chars: int) -> str:
    """Return reasons that hold together as one; what exceeds `max_chars` of their English is cut."""
    kept: list[str] = []
    left = max_chars
    for reason in reasons:
        if left <= 0:
            break
        kept.append(cut_reason(reason, left))
        left -= len(reason) + len(_JOINT)
    return kept[0] if len(kept) == 1 else Reason(SEVERAL, cause=tuple(kept))


def reason_to_json(reason: str) -> Any:
    """Return a reason as it is stored: an object with its code, or free text as a string."""
    if not isinstance(reason, Reason):
        return reason
    if reason.code == TEXT:
        return str(reason)
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
