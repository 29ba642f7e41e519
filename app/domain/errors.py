"""Tree of every error that Tidemark raises on purpose.

    TidemarkError
    ├── InvalidInput            the caller's fault; names the field or line
    │   ├── UnknownName         no object has that name; carries the nearest names
    │   ├── AddressRefused      an outgoing address the guard does not allow
    │   ├── InvalidProblem      a problem file that cannot be read
    │   └── InvalidImport       a bad import; carries the bad rows
    ├── NotFound                no object has that name
    │   └── NoObjects           no object of that kind exists, whatever the name
    ├── Conflict                the state does not allow it
    │   └── InProgress          the same request is being answered
    ├── PreconditionMissing     a change that does not name the answer it was made from
    ├── PreconditionFailed      a change that was made from an older answer
    ├── NotAuthenticated        the caller did not prove its identity
    ├── Forbidden               the caller may not
    ├── Unavailable             a part of the service is down or missing
    │   ├── SandboxUnavailable  no sandbox, so nothing is graded
    │   ├── DiskFull            a disk is full, so work waits
    │   └── ClockSkew           a machine's clock differs from the database's, so work waits
    └── JudgeError              the judge's own failure; never a verdict on a program

Errors know nothing of HTTP; app.api.problem_json maps them to status codes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

# Number of similar names to suggest, and of names to list if none is similar.
_MAX_NEAREST, _MAX_LISTED = 3, 5


class TidemarkError(Exception):
    """Base of all errors raised on purpose; the message is fit for a person."""

    code = "error"


class InvalidInput(TidemarkError):
    """The caller sent something that cannot be read or is out of range."""

    code = "invalid_input"

    def __init__(self, message: str, *, pointer: str | None = None) -> None:
        super().__init__(message)
        self.pointer = pointer


class UnknownName(InvalidInput):
    """Value of `field` that names no object.

    `nearest` are the most similar names, the likeliest first, or all names if there are few and none is similar. The
    message calls the object `noun` if that is given, else `field`.
    """

    code = "unknown_name"

    def __init__(self, field: str, value: str, names: Iterable[str], where: str = "", noun: str = "") -> None:
        self.field, self.value = field, value
        folded = {str(name).casefold(): str(name) for name in names}
        close = [folded[name] for name in get_close_matches(value.casefold(), folded, n=_MAX_NEAREST)]
        self.nearest = tuple(close or (folded.values() if len(folded) <= _MAX_LISTED else ()))
        hint = f"; did you mean {' or '.join(close)}?" if close else f"; known: {', '.join(self.nearest)}"
        place = f" {where}" if where else ""
        super().__init__(f"unknown {noun or field} {value!r}{place}{hint if self.nearest else ''}", pointer=f"/{field}")


class WindowReversed(InvalidInput):
    """The end of a window lies before its start."""

    def __init__(self) -> None:
        super().__init__("the window ends before it starts", pointer="/to")


class AddressRefused(InvalidInput):
    """An outgoing address that the address guard does not allow."""

    code = "address_refused"


class InvalidProblem(InvalidInput):
    """A problem file cannot be read."""

    code = "invalid_problem"


@dataclass(frozen=True, slots=True)
class BadRow:
    """One unreadable row of an imported file."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


class InvalidImport(InvalidInput):
    """An import was refused whole; nothing of it was stored."""

    code = "invalid_import"

    def __init__(self, message: str, bad_rows: Sequence[BadRow] = ()) -> None:
        super().__init__(message)
        self.bad_rows = tuple(bad_rows)


class BuildFailed(InvalidImport):
    """The tests of a package could not be made from its own programs; nothing of it was stored."""

    code = "build_failed"


class NotFound(TidemarkError):
    """No object has that name."""

    code = "not_found"


class NoObjects(NotFound):
    """No object of that kind exists, so the caller did not mistype a name."""


class Conflict(TidemarkError):
    """The present state does not allow the request."""

    code = "conflict"


class InProgress(Conflict):
    """Another request, equal to this one, is being answered; a repeat gets its answer."""

    code = "in_progress"


class PreconditionMissing(TidemarkError):
    """A change came without the tag of the answer that it was made from."""

    code = "precondition_required"


class PreconditionFailed(TidemarkError):
    """A change was made from an answer that is not the present one."""

    code = "precondition_failed"


class NotAuthenticated(TidemarkError):
    """The caller did not prove its identity."""

    code = "unauthenticated"


class Forbidden(TidemarkError):
    """The caller is not allowed to do this."""

    code = "forbidden"


class RateLimited(TidemarkError):
    """The caller sent too many requests lately and may try again in `retry_after_s` seconds."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after_s: int = 10) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Unavailable(TidemarkError):
    """A part of the service itself is down or missing."""

    code = "unavailable"


class DiskFull(Unavailable):
    """A disk has too little free space for work to begin."""


class ClockSkew(Unavailable):
    """The clock of this machine is too far from the database's for work to begin."""


class SandboxUnavailable(Unavailable):
    """The sandbox is missing or failed its self-test; nothing may be graded."""

    code = "sandbox_unavailable"


class JudgeError(TidemarkError):
    """The judge failed; this says nothing about the program."""

    code = "judge_error"
