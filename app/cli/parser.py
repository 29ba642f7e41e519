"""Parsing and help of all verbs: Typer, with plain names in its help."""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

from app.cli.verbs import VERBS

State = Annotated[
    Path | None, typer.Option("--state", metavar="DIR", help="The state folder; .state in the checkout by default.")
]


_REST_PREFIX = "[--"  # the start of the metavar of arguments that follow `--`


class Command(TyperCommand):
    """A verb whose help names arguments and values in capitals, and keeps the lines of its examples."""

    def __init__(self, name: str | None, *, help: str | None = None, **options: Any) -> None:  # noqa: A002  # Typer's
        verbatim = help and help.replace("\nExamples:\n", "\n\b\nExamples:\n")
        super().__init__(name, help=verbatim, **options)
        for parameter in self.params:
            if isinstance(parameter, TyperArgument):
                parameter.metavar = parameter.metavar or parameter.name.upper()
            elif isinstance(parameter, TyperOption) and parameter.metavar is None:
                parameter.metavar = _metavar(parameter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002  # Typer's
        """Return the parts of the usage line after the verb's name; an argument that follows `--` comes last."""
        arguments = [_usage_piece(parameter) for parameter in self.params if isinstance(parameter, TyperArgument)]
        return sorted([*arguments, "[OPTIONS]"], key=lambda piece: piece.startswith(_REST_PREFIX))

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002  # Click's, which cuts it
        """Return the first sentence of the help, uncut, for a list of verbs."""
        return " ".join((self.help or "").partition("\n\n")[0].split())

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, each with its help."""
        arguments = [
            _help_row(parameter)
            for parameter in self.params
            if isinstance(parameter, TyperArgument) and not parameter.hidden
        ]
        options = [
            parameter.get_help_record(ctx) for parameter in self.get_params(ctx) if isinstance(parameter, TyperOption)
        ]
        for title, rows in (("Arguments", arguments), ("Options", [row for row in options if row])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class VerbGroup(typer.Typer):
    """A verb with verbs of its own, such as `tidemark key issue`."""

    def __init__(self, words: str) -> None:
        super().__init__(add_completion=False, no_args_is_help=True, rich_markup_mode=None, help=words)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Return Typer's decorator, with this program's help."""
        return super().command(name, cls=Command, **options)


def build_parser(names: Sequence[str]) -> typer.Typer:
    """Return the command line with these verbs; no other verb is imported."""
    app = VerbGroup("Tidemark: a live benchmark service for code models.")

    @app.callback()
    def tidemark() -> None:
        """Tidemark: a live benchmark service for code models."""

    for name in names:
        verb = VERBS[name]
        target = getattr(importlib.import_module(f"app.cli.{verb.module}"), verb.function)
        if isinstance(target, typer.Typer):
            app.add_typer(target, name=name)
        else:
            app.command(name)(target)
    return app


def _metavar(option: TyperOption) -> str:
    kind = option.type_descriptor
    if kind.is_choice:
        return "|".join(str(choice) for choice in kind.choices or ())
    if kind.is_path:
        return "FILE"
    return "N" if kind.annotation in (int, float) else "TEXT"


def _usage_piece(argument: TyperArgument) -> str:
    name = argument.metavar or argument.name
    if argument.nargs != 1 and not name.startswith(_REST_PREFIX):
        name += "..."
    return name if argument.required or name.startswith(_REST_PREFIX) else f"[{name}]"


def _help_row(argument: TyperArgument) -> tuple[str, str]:
    return argument.metavar or argument.name, argument.help or ""
