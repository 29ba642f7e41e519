"""Local processes: the embedded servers, and all programs of one machine under a supervisor."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.supervise.state_access import open_state

__all__ = ["open_state"]


def __getattr__(name: str) -> Any:
    # Only commands that touch the database load its modules; `up` runs for months and stays small.
    if name == "open_state":
        from app.supervise.state_access import open_state

        return open_state
    raise AttributeError(name)
