"""The options that name one view of a board, for the verbs that show, freeze or pack it."""

from typing import Annotated, Any, Final

import typer

from app.domain.boards.board import BoardQuery
from app.domain.errors import InvalidInput
from app.services.boards.query import BOARDS, NAMES, parse_query, parse_reference

Name = Annotated[str, typer.Argument(help="A board, such as codegen.")]
Protocol = Annotated[str | None, typer.Option(help="Whose rows; the board's own when not given.")]
Rules = Annotated[str | None, typer.Option(help="tidemark or lcb.")]
Exposure = Annotated[str | None, typer.Option(help="unrank, hide or split.")]
Start = Annotated[str | None, typer.Option("--from", help="First release day.")]
End = Annotated[str | None, typer.Option("--to", help="The day after the last release day.")]
CutoffBefore = Annotated[str | None, typer.Option(help="Only models with a cutoff before this day.")]
Platform = Annotated[list[str] | None, typer.Option(help="May be given often.")]
Difficulty = Annotated[list[str] | None, typer.Option(help="easy, medium, hard, expert, extreme; may be given often.")]
Language = Annotated[list[str] | None, typer.Option(help="May be given often.")]
Model = Annotated[list[str] | None, typer.Option(help="May be given often.")]
Reference = Annotated[str | None, typer.Option(help="Compare with this row: model or model:configuration.")]

_SPELLED: Final = {"start": "from", "end": "to"}


def read(name: str, options: dict[str, Any]) -> tuple[BoardQuery, str | None]:
    """The board that a verb's local names ask for, and its reference; what is no filter is passed over.

    Raises InvalidInput for an unknown board or an unreadable value.
    """
    if name not in BOARDS:
        raise InvalidInput(f"there is no board {name!r}; there are {', '.join(BOARDS)}")
    given = {_SPELLED.get(key, key): value for key, value in options.items()}
    pairs = [
        (key, each)
        for key in NAMES
        if given.get(key) is not None
        for each in (given[key] if isinstance(given[key], list) else [given[key]])
    ]
    return parse_query(pairs, name), parse_reference(pairs)
