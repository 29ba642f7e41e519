"""What a language is to the judge."""

from dataclasses import dataclass

HELLO_INPUT, HELLO_OUTPUT = "19 23\n", "42"


@dataclass(frozen=True, slots=True)
class Product:
    """A file made once by the toolchain from our own source, read-only to every compilation under /judge/build."""

    path: str
    command: tuple[str, ...]  # "{source}" and "{out}" are filled in
    source: str  # file beside launcher.c, or its text when it holds a line break


@dataclass(frozen=True, slots=True)
class Language:
    """One language: how its toolchain is found, how a program is compiled and run.

    Commands name absolute paths as seen in the sandbox; "{python}" stands for the configured interpreter.
    A toolchain that is absent, or whose `hello` program does not print the sum of its two inputs in the
    sandbox, is not offered; that is never an error.
    """

    name: str
    extension: str
    version_command: tuple[str, ...]
    hello: str
    # Shell lines, in a sandbox of their own: each turns main.<extension> into main; the first that succeeds counts.
    compile: tuple[str, ...] = ()
    # What the launcher executes; /judge/main is what was compiled, or the source where nothing is.
    run: tuple[str, ...] = ("/judge/main",)
    zygote: bool = False  # run by the Python zygote instead, unless the judge is told to execute everything
    products: tuple[Product, ...] = ()
    time_factor: float = 1.0
    memory_base_mb: int = 4  # the runtime's own share, added to a problem's limit
    function_form: bool = False
