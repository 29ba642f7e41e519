"""What a language is to the judge."""

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.problems import Entry

HELLO_INPUT, HELLO_OUTPUT = "19 23\n", "42"


@dataclass(frozen=True, slots=True)
class Product:
    """A file or folder made once by the toolchain from our own source, read-only to compilations in /judge/build."""

    path: str
    command: tuple[str, ...]  # "{source}" and "{out}" are filled in, and the language's tools
    source: str  # file beside launcher.c, or its text when it holds a line break


@dataclass(frozen=True, slots=True)
class Language:
    """One language: how its toolchain is found, how a program is compiled and run.

    `tools` are looked for on the path and must lie below /usr, which sandboxes see; "{name}" in commands stands for
    the absolute path of each, "{python}" for the configured interpreter, in `run` "{memory_mb}" for the problem's
    memory limit, and in `compile` "{headers}" for the option that names installed headers, with a space before it. A
    toolchain that is absent, or whose `hello` program does not print the sum of its two inputs in the sandbox, is not
    offered; that is never an error.

    A name in `aliases` means this language wherever people name one; a file that ends in one of `endings` is one of
    its programs too. Names and endings are written small, without dots, and belong to one language each.
    """

    name: str
    extension: str
    version_command: tuple[str, ...]
    hello: str
    tools: tuple[str, ...] = ()
    package: str = ""  # of Debian, that brings the tools
    seldom: bool = False  # tested by `--all` alone: a toolchain of hundreds of megabytes, or of seconds a program
    files: tuple[str, ...] = ()  # patterns of paths outside /usr that the toolchain reads
    # Shell lines, in a sandbox of their own: each turns main.<extension> into main; the first that succeeds counts.
    compile: tuple[str, ...] = ()
    helper_compile: tuple[str, ...] = ()  # tried before those for checkers and interactors
    # What the launcher executes; /judge/main is what was compiled, or the source where nothing is.
    run: tuple[str, ...] = ("/judge/main",)
    zygote: bool = False  # run by the Python zygote instead, unless the judge is told to execute everything
    products: tuple[Product, ...] = ()
    time_factor: float = 1.0
    memory_base_mb: int = 4  # the runtime's own share, added to a problem's limit
    reserve_mb: int = 512  # what may be mapped without being touched, beyond that
    function_form: bool = False
    # Of a compiled language that has it: the program with what calls a function of it; _calls.py has both ends.
    caller: Callable[[str, Entry], str] | None = None
    aliases: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()  # of file names, besides `extension`
    # Of a runtime that ends by SIGABRT when its heap is full: the share of all its memory that it must have held for
    # that to be the reason. None: an abort is the program's own doing.
    abort_share: float | None = None
