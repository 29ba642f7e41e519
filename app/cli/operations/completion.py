"""`tidemark completion SHELL`: a script that completes verbs and options in a shell.

The script contains every word, so that a key press starts no program.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from app.cli.parser import build_parser
from app.cli.verbs import OPTIONS, VERBS, description


class Shell(StrEnum):
    """The shells with a completion script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@dataclass(frozen=True, slots=True)
class CompletionContext:
    """The completions after some words, such as `key issue`: plain words, and options with their allowed values."""

    words: tuple[str, ...]
    plain: tuple[str, ...]
    options: dict[str, tuple[str, ...]]


_BASH: Final = """\
_tidemark() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before=$((COMP_CWORD - 1)) plain="" options=""
    case "${{COMP_WORDS[*]:1:$before}} " in
{cases}
    esac
    case "$word" in
    -*) plain=$options ;;
    esac
    COMPREPLY=($(compgen -W "$plain" -- "$word"))
}}
complete -o default -F _tidemark tidemark
"""
_ZSH: Final = "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n"


def completion(shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]) -> None:
    """Print a script that completes verbs and options in a shell.

    Write it to a file and source that file in ~/.bashrc or ~/.zshrc. Write it again after an upgrade.

    Examples:
      ./tidemark completion bash >~/.tidemark.bash
      ./tidemark completion zsh >~/.tidemark.zsh
      ./tidemark completion fish >~/.config/fish/completions/tidemark.fish
    """
    contexts = list(_contexts(get_command(build_parser(list(VERBS))), ()))
    print({Shell.BASH: _bash, Shell.ZSH: _zsh, Shell.FISH: _fish}[shell](contexts), end="")


def _contexts(command: Any, words: tuple[str, ...]) -> Iterator[CompletionContext]:
    """Yield the contexts of a command, the deepest first, since their words begin with those of the others."""
    commands = command.commands if isinstance(command, TyperGroup) else {}
    for name, part in commands.items():
        yield from _contexts(part, (*words, name))
    options: dict[str, tuple[str, ...]] = {"--help": ()}
    plain = [*commands]
    for parameter in command.params:
        kind = parameter.type_descriptor
        values = tuple(str(choice) for choice in kind.choices or ()) if kind.is_choice else ()
        if isinstance(parameter, TyperOption):
            options |= dict.fromkeys([*parameter.opts, *parameter.secondary_opts], values)
        else:
            plain += values
    yield CompletionContext(words, tuple(plain), options if words else dict.fromkeys(OPTIONS, ()))


def _bash(contexts: list[CompletionContext]) -> str:
    cases = []
    for context in contexts:
        begin = "".join(f"{word} " for word in context.words)
        for option, values in context.options.items():
            if values:
                cases.append(f'"{begin}"*"{option} ") plain="{" ".join(values)}" ;;')
        rest = "*" if context.words else ""
        cases.append(
            f'"{begin or " "}"{rest}) plain="{" ".join(context.plain)}" options="{" ".join(context.options)}" ;;'
        )
    return _BASH.format(cases="\n".join(f"    {case}" for case in cases))


def _zsh(contexts: list[CompletionContext]) -> str:
    return _ZSH + _bash(contexts)


def _fish(contexts: list[CompletionContext]) -> str:
    inner = {
        context.words: context.plain
        for context in contexts
        if context.words in {other.words[:-1] for other in contexts}
    }
    lines = [f"complete -c tidemark -n '__fish_use_subcommand' -l {name.lstrip('-')}" for name in OPTIONS]
    for context in reversed(contexts):
        here = [f"__fish_seen_subcommand_from {word}" for word in context.words]
        if context.words in inner and context.words:
            here.append(f"not __fish_seen_subcommand_from {' '.join(context.plain)}")
        condition = "; and ".join(here) or "__fish_use_subcommand"
        for word in context.plain:
            words = f" -d {_quote(description(word).partition(chr(10))[0])}" if not context.words else ""
            lines.append(f"complete -c tidemark -n '{condition}' -f -a {word}{words}")
        for option, values in context.options.items() if context.words else ():
            letter = "-l" if option.startswith("--") else "-s"
            choices = f" -x -a '{' '.join(values)}'" if values else ""
            lines.append(f"complete -c tidemark -n '{condition}' {letter} {option.lstrip('-')}{choices}")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
