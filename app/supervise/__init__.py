"""Everything that runs: the embedded servers, and all processes of one machine under a supervisor."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.supervise.attach import attached

__all__ = ["attached"]


def __getattr__(name: str) -> Any:
    # Only verbs that touch the database load what that takes; `up` stays small, for it runs for months.
    if name == "attached":
        from app.supervise.attach import attached

        return attached
    raise AttributeError(name)
