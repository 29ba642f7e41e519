"""The arguments and options that name one view of a board, for the verbs that show, freeze or pack it."""

import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final, NamedTuple

import typer

from app.domain.boards.board import BoardQuery
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.services.boards.query import Parameter, parameters, parse_query, parse_reference

_NAME: Final = Annotated[str, typer.Argument(help="A board, such as codegen.")]


class BoardArguments(NamedTuple):
    """A board view as a verb's arguments name it; `protocol` is None if none was named."""

    query: BoardQuery
    reference: str | None
    protocol: str | None


def with_board_options(verb: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes a board's name and an option for each name of its URL.

    `verb` is called with the view that they name in place of these, and with its own parameters.
    """
    own_parameters = list(inspect.signature(verb).parameters.values())[1:]

    def command(name: str, **options: Any) -> None:
        values = {parameter.name: options.pop(_identifier(parameter)) for parameter in parameters()}
        verb(_parse_view(name, values), **options)

    keyword = inspect.Parameter.KEYWORD_ONLY
    signature = inspect.Signature(
        [
            inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=_NAME),
            *(option.replace(kind=keyword) for option in own_parameters if option.default is inspect.Parameter.empty),
            *(
                inspect.Parameter(_identifier(parameter), keyword, default=None, annotation=_option(parameter))
                for parameter in parameters()
            ),
            *(
                option.replace(kind=keyword)
                for option in own_parameters
                if option.default is not inspect.Parameter.empty
            ),
        ]
    )
    command.__signature__ = signature  # type: ignore[attr-defined]  # typer reads it
    command.__annotations__ = {name: option.annotation for name, option in signature.parameters.items()}
    command.__doc__, command.__name__ = verb.__doc__, verb.__name__
    return command


def _identifier(parameter: Parameter) -> str:
    return f"{parameter.name}_"  # `from` is a Python keyword


def _option(parameter: Parameter) -> Any:
    flag = f"--{parameter.name.replace('_', '-')}"
    more = [f"one of {', '.join(parameter.values)}"] if parameter.values else []
    more += ["repeatable"] if parameter.repeated else []
    text = "; ".join([parameter.meaning, *more])
    return Annotated[
        list[str] | None if parameter.repeated else str | None, typer.Option(flag, help=f"{text[0].upper()}{text[1:]}.")
    ]


def _parse_view(name: str, values: dict[str, Any]) -> BoardArguments:
    """Return the view that the options name. Raises InvalidInput for an unknown board or an unreadable value."""
    if name not in boards():
        raise InvalidInput(f"unknown board {name!r}; known: {', '.join(boards())}")
    pairs = list(_pairs(values))
    return BoardArguments(parse_query(pairs, name), parse_reference(pairs), values["protocol"] or None)


def _pairs(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        for item in value if isinstance(value, list) else [value] if value is not None else []:
            yield name, item
