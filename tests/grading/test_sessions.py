"""One sandbox for all tests of a submission: what its first process keeps from each, and what it takes from none."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.errors import JudgeError
from workers.grading.judge import JudgeSettings
from workers.grading.runner import LAUNCHER_COMMAND, ZygoteRunner, zygote_command
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds
from workers.grading.sandbox.root import Tools
from workers.grading.sandbox.session import Session

pytestmark = pytest.mark.sandbox

BOUNDS = SandboxBounds(cpu_ms=5000, wall_ms=9000, memory_mb=64, output_bytes=1 << 16)


def sandbox(settings: JudgeSettings, tools: Tools) -> Sandbox:
    return Sandbox(settings.bwrap, tools.path, settings.first_uid if os.geteuid() == 0 else None)


def opened(settings: JudgeSettings, tools: Tools, command: tuple[str, ...]) -> Session:
    return Session(sandbox(settings, tools), command)


@pytest.fixture(scope="module")
def session(settings: JudgeSettings, tools: Tools) -> Iterator[Session]:
    with opened(settings, tools, zygote_command(settings.python)) as session:
        yield session


def ran(session: Session, code: str, stdin: bytes = b"") -> tuple[bytes, ProgramRun]:
    """What a program printed, and how it ran."""
    said: list[bytes] = []
    run = session.run(BOUNDS, said.append, program=code.encode(), stdin=stdin)
    return b"".join(said), run


def test_the_zygote_keeps_no_descriptor_of_a_test(session: Session) -> None:
    """Else after some two hundred tests there would be none left, and the next one would be our fault."""
    if os.geteuid() != 0:
        pytest.skip("only root may look at the zygote")
    before = len(list(Path(f"/proc/{session.pid}/fd").iterdir()))
    for _ in range(4):
        ran(session, "print(1)")
    # Those of the last test may be on their way out still: it answers before the zygote does.
    assert len(list(Path(f"/proc/{session.pid}/fd").iterdir())) <= before + 4


def test_what_the_service_ignores_a_program_does_not(settings: JudgeSettings, tools: Tools) -> None:
    """As under nohup: such a program would outlive what ends it elsewhere."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with opened(settings, tools, zygote_command(settings.python)) as session:
            _, run = ran(session, "import os, signal\nos.kill(os.getpid(), signal.SIGHUP)")
        said: list[bytes] = []
        with opened(settings, tools, LAUNCHER_COMMAND) as session:
            session.run(BOUNDS, said.append, argv=("/bin/sh", "-c", "kill -HUP $$; echo alive"))
    finally:
        signal.signal(signal.SIGHUP, before)
    assert (run.signal, said) == (signal.SIGHUP, [])


def test_a_closed_session_starts_nothing(settings: JudgeSettings, tools: Tools) -> None:
    session = opened(settings, tools, zygote_command(settings.python))
    session.close()
    assert not session.alive
    with pytest.raises(JudgeError, match="closed"):
        ran(session, "print(1)")


def test_the_folder_of_a_test_holds_so_much_and_so_many_files(session: Session) -> None:
    said, _ = ran(session, "import os\nall = os.statvfs('.')\nprint(all.f_files, all.f_blocks * all.f_frsize >> 20)")
    assert said == b"8192 64\n"


SEALED = """
import os
def refused(size):
    try:
        os.truncate(0, size)
    except OSError:
        return True
print(refused(0), refused(1 << 20), open(0).read())
"""


def test_nothing_makes_its_input_longer_or_shorter(session: Session) -> None:
    """Longer, it would be memory that no count of a process shows."""
    assert ran(session, SEALED, b"as it was")[0] == b"True True as it was\n"


LIMITED = """
import resource
names = "CPU CORE FSIZE NPROC NOFILE MSGQUEUE AS"
print(*[resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in names.split()])
print(len(set(resource.getrlimit(resource.RLIMIT_STACK))))
"""


def test_a_program_has_the_limits_it_was_given_forked_or_executed(
    session: Session, settings: JudgeSettings, tools: Tools
) -> None:
    megabytes = BOUNDS.memory_mb + BOUNDS.reserve_mb
    given = (12, 0, BOUNDS.disk_mb << 20, BOUNDS.processes, BOUNDS.descriptors, 0, megabytes << 20)
    wanted = " ".join(str((limit, limit)) for limit in given) + "\n1\n"
    assert ran(session, LIMITED)[0].decode() == wanted
    said: list[bytes] = []
    with opened(settings, tools, LAUNCHER_COMMAND) as executed:
        executed.run(BOUNDS, said.append, argv=(settings.python, "-I", "-S", "-c", LIMITED))
    assert b"".join(said).decode() == wanted


def test_output_is_taken_up_to_its_limit_and_the_end_of_what_goes_wrong(session: Session) -> None:
    whole, run = ran(session, f"print('x' * {BOUNDS.output_bytes}, end='')")
    assert (len(whole), run.output_cut) == (BOUNDS.output_bytes, False)
    cut, run = ran(session, f"print('x' * {BOUNDS.output_bytes + 1}, end='')")
    assert (len(cut), run.output_cut, run.wall_cut) == (BOUNDS.output_bytes, True, False)
    _, run = ran(session, "import sys\nsys.stderr.write('e' * 70_000 + 'end')")
    assert run.stderr == b"e" * 4093 + b"end"


def test_sets_of_text_have_an_order_that_belongs_to_the_program(settings: JudgeSettings, tools: Tools) -> None:
    """Who is judged again meets the same one, and nobody chooses for another."""

    def said(source: bytes) -> bytes:
        pieces: list[bytes] = []
        with ZygoteRunner(sandbox(settings, tools), settings.python, source, called=False) as runner:
            runner.run(BOUNDS, pieces.append)
        return b"".join(pieces)

    program = b"print(hash('a'))"
    assert said(program) == said(program) != said(program + b"\n")
