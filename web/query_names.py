"""The parameters that each page reads from its address; a page names the others, which it ignores."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Final

from app.services.boards.query import parameters

# Parameters of how a board is shown, not of what it counts.
_BOARD_FACE: Final = ("tab", "sort", "dir", "open", "axis", "family", "ties", "also", "compat", "m")
# How a list is sorted, and which part of it is shown.
_LIST_FACE: Final = ("sort", "dir", "skip")
_OWN_NAMES: Final[Mapping[str, Collection[str]]] = {
    "/models": ("q", "organisation", "weights", *_LIST_FACE),
    "/models/{slug}": ("protocol", "configuration", "trial", "from", "to", "platform", "difficulty", "skip"),
    "/problems": ("q", "platform", "level", "topic", "tag", *_LIST_FACE),
    "/problems/{source}/{external_id:path}": ("protocol", "skip", "reported"),
    "/search": ("q",),
    "/snapshots": ("before",),
    "/contamination": ("protocol",),
    "/changes": ("kind", "subject", "week", "until", "before"),
    "/login": ("token",),
}
# Pages whose address also has every parameter of a board.
_BOARD_PAGES: Final[Mapping[str, Collection[str]]] = {
    "/": _BOARD_FACE,
    "/boards/{board}": _BOARD_FACE,
    "/compare": ("board", "m", "with", "show", "skip"),
    "/ratings": ("board", *_BOARD_FACE),
    "/holistic": ("board", *_BOARD_FACE),
    "/cite": ("board", "view"),
    "/sampling": ("board",),
    "/badge/{model}.svg": ("board", "configuration"),
    "/embed/board": ("board", "rows", "theme"),
}


def names_read(path: str) -> Collection[str] | None:
    """Return the parameters that the page at a route's path reads; None if every name is its own business."""
    if path.startswith("/ops"):
        return None  # pages of maintainers read the answers to their own forms
    if path in _BOARD_PAGES:
        return {*_board_names(), *_BOARD_PAGES[path]}
    return _OWN_NAMES.get(path, ())


@cache
def _board_names() -> frozenset[str]:
    return frozenset(parameter.name for parameter in parameters())
