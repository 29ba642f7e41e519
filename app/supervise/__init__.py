"""Local processes: the embedded servers, and all programs of one machine under a supervisor."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.supervise.attach import attached

__all__ = ["attached"]


def __getattr__(name: str) -> Any:
    # Only commands that touch the database load its modules; `up` runs for months and stays small.
    if name == "attached":
        from app.supervise.attach import attached

        return attached
    raise AttributeError(name)
