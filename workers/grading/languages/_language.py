"""The declaration of a language for the judge."""

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.problems import Entry

HELLO_INPUT, HELLO_OUTPUT = "19 23\n", "42"


@dataclass(frozen=True, slots=True)
class BuildProduct:
    """A file or folder made once by the toolchain from our own source, read-only to compilations in /judge/build."""

    path: str
    command: tuple[str, ...]  # "{source}" and "{out}" are filled in, and the language's tools
    source: str  # a file beside launcher.c, or its text if it contains a line break


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its toolchain, and the commands that compile and run a program.

    `tools` are searched on the path and must be below /usr, which sandboxes see. "{name}" in commands stands for the
    absolute path of a tool, "{python}" for the configured interpreter, "{memory_mb}" in `run` for the problem's memory
    limit, and "{headers}" in `compile` for the option that names installed headers, with a space before it. If a
    toolchain is absent, or its `hello` program does not print the sum of its two inputs in the sandbox, the language
    is not offered, which is no error.

    A name in `aliases` means this language for people; a file with one of `endings` is one of its programs too. Names
    and endings are in lower case, without dots, and belong to one language each.
    """

    name: str
    extension: str
    version_command: tuple[str, ...]
    hello: str
    tools: tuple[str, ...] = ()
    package: str = ""  # the Debian packages that bring the tools
    seldom: bool = False  # tested with `--all` only: the toolchain is very large, or takes seconds for a program
    files: tuple[str, ...] = ()  # patterns of paths outside /usr that the toolchain reads
    # Shell lines in a sandbox of their own; each turns main.<extension> into main, and the first that succeeds counts.
    compile: tuple[str, ...] = ()
    helper_compile: tuple[str, ...] = ()  # tried before those for checkers and interactors
    # The command that the launcher executes; /judge/main is the compiled program, or the source of an interpreted one.
    run: tuple[str, ...] = ("/judge/main",)
    zygote: bool = False  # run by the Python zygote instead, unless the judge is told to execute everything
    products: tuple[BuildProduct, ...] = ()
    time_factor: float = 1.0
    memory_base_mb: int = 4  # the runtime's own share, added to a problem's limit
    reserve_mb: int = 512  # may be mapped without being touched, beyond that
    function_form: bool = False
    # In a compiled language with a function form: adds the code that calls an entry to a program.
    caller: Callable[[str, Entry], str] | None = None
    aliases: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()  # of file names, besides `extension`
    # For a runtime that ends by SIGABRT if its heap is full: the share of all its memory that it must have held then.
    # None: an abort is the program's own.
    abort_share: float | None = None
