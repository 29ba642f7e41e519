"""Hostile programs of our own: what each may not reach, and that nothing of it stays."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import QUICK, SUM, Passed, run, sums
from support.waiting import until

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Limits, ProblemSpec, Test
from workers.grading.attack_suite.host_state import StrayProcesses
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.runner import LAUNCHER_COMMAND, zygote_command
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.protocol import SandboxBounds
from workers.grading.sandbox.root import Tools
from workers.grading.sandbox.session import Session

pytestmark = pytest.mark.sandbox

PROGRAMS = Path(__file__).with_name("programs")

# Program -> what it prints when the sandbox holds.
HELD = {
    "count_processes.py": "alone",
    "open_descriptors.py": "three",
    "trace_parent.py": "refused",
    "new_namespace.py": "refused",
    "host_settings.py": "closed",
    "thread_bomb.py": "limited",
    "fill_disk.py": "limited",
    "stop_everything.py": "still here",
    "raw_limits.py": "kept",
    "include_host.cpp": "nothing",
    "daemon.cpp": "done",
    "interrupt_init.py": "still here",
    "limit_init.cpp": "refused",
    "hidden_memory.cpp": "refused",
}
# Program -> how it ends whatever it prints.
ENDED = {
    "ignored_children.py": {Verdict.TIME_LIMIT},
    "shared_burden.py": {Verdict.MEMORY_LIMIT},
    "full_sockets.py": {Verdict.MEMORY_LIMIT},
    "full_sockets.cpp": {Verdict.MEMORY_LIMIT},
    "full_pipes.py": {Verdict.MEMORY_LIMIT},
    "full_pipes.cpp": {Verdict.MEMORY_LIMIT},
    "foreign_calls.cpp": {Verdict.RUNTIME_ERROR},
    "huge_array.cpp": {Verdict.COMPILE_ERROR},
    "no_program.cpp": {Verdict.RUNTIME_ERROR},
}


def language_of(name: str) -> str:
    return {"py": "python", "cpp": "cpp"}[name.rpartition(".")[2]]


@pytest.mark.parametrize(("name", "says"), HELD.items())
def test_a_program_that_looks_for_a_way_out_finds_none(judge: Judge, name: str, says: str) -> None:
    code = (PROGRAMS / name).read_text()
    result = run(judge, code, "", says, language=language_of(name), limits=Limits(time_ms=5000, memory_mb=256))
    assert result.verdict is Verdict.ACCEPTED, result


@pytest.mark.parametrize(("name", "verdicts"), ENDED.items())
def test_a_program_that_takes_too_much_is_ended(judge: Judge, name: str, verdicts: set[Verdict]) -> None:
    before = StrayProcesses()
    limits = replace(QUICK, time_ms=200) if Verdict.TIME_LIMIT in verdicts else QUICK  # of 800, on the slowest host too
    result = run(judge, (PROGRAMS / name).read_text(), "", "done", language=language_of(name), limits=limits)
    assert result.verdict in verdicts, result
    assert before.find() == ()
    assert judge.grade(sums(), SUM, "python").verdict is Verdict.ACCEPTED


def test_a_compilation_that_takes_too_much_is_ended(judge: Judge, settings: JudgeSettings) -> None:
    """What compiling may take is less here than elsewhere: the compiler uses up all of it."""
    before = StrayProcesses()
    assert judge.find("cpp"), judge.refused_languages()
    hurried = Passed(replace(settings, slowness=1.0, compiling=replace(settings.compiling, cpu_ms=200)), judge)
    result = run(hurried, (PROGRAMS / "template_bomb.cpp").read_text(), "", "done", language="cpp")
    assert (result.verdict, result.message) == (Verdict.COMPILE_ERROR, "compilation took longer than 0.2 s"), result
    assert before.find() == ()
    assert hurried.grade(sums(), SUM, "python").verdict is Verdict.ACCEPTED


def test_cpu_of_children_nobody_waited_for_is_counted(judge: Judge) -> None:
    code = (PROGRAMS / "ignored_children.py").read_text()
    result = run(judge, code, "", "done", limits=Limits(time_ms=10_000))
    assert result.verdict is Verdict.ACCEPTED
    assert result.cpu_ms > 740


def test_tests_of_a_submission_see_nothing_of_each_other(judge: Judge) -> None:
    leaves_marks = """
import os
marks = [os.path.join(folder, "mark") for folder in ("/tmp", ".", "/dev/shm", "/judge", "/", "/dev")]
seen = any(map(os.path.exists, marks))
for mark in marks:
    try:
        open(mark, "w").close()
    except OSError:
        pass
a, b = map(int, input().split())
print("seen" if seen else a + b)
"""
    assert judge.grade(sums(4), leaves_marks, "python").verdict is Verdict.ACCEPTED


def test_the_program_runs_under_another_uid_of_the_kernel_than_a_root_service(
    judge: Judge, settings: JudgeSettings
) -> None:
    first, last = settings.first_uid, settings.first_uid + settings.slots - 1
    if os.geteuid() != 0:
        first = last = os.geteuid()
    code = f"print({first} <= int(open('/proc/self/uid_map').read().split()[1]) <= {last})"
    assert run(judge, code, "", "True").verdict is Verdict.ACCEPTED


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may put a folder below /usr")
def test_a_checkout_below_usr_is_hidden(settings: JudgeSettings, tools: Tools) -> None:
    with tempfile.TemporaryDirectory(prefix="tidemark-test-", dir="/usr/local/share") as name:
        own = Path(name)
        own.chmod(0o755)
        (own / "expected").write_text("42")
        seen: list[bytes] = []
        for hidden in (Path("/nowhere"), own):
            sandbox = Sandbox(settings.bwrap, tools.path, 64001, own_code=hidden)
            with Session(sandbox, zygote_command(settings.python)) as session:
                code = f"import os; print(os.listdir({name!r}))".encode()
                session.run(SandboxBounds(1000, 2000, 64, 1000), seen.append, program=code)
    assert b"".join(seen) == b"['expected']\n[]\n"


def test_the_service_environment_is_not_handed_down(judge: Judge) -> None:
    code = "import os; print(*sorted(os.environ))"
    os.environ["JUDGE_TEST_SECRET"] = "secret"
    try:
        result = run(judge, code, "", "HOME LANG MALLOC_ARENA_MAX PATH PWD PYTHONDONTWRITEBYTECODE PYTHONHASHSEED")
    finally:
        del os.environ["JUDGE_TEST_SECRET"]
    assert result.verdict is Verdict.ACCEPTED


SEEN = """
import glob, os, sys
mark = ("service" + "-" + "secret").encode()
places = glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline") + glob.glob("/proc/*/task/*/environ")
for root in ("/judge", "/tmp", "/run", "/etc", "/root", "/home"):
    for folder, _, names in os.walk(root):
        places += [os.path.join(folder, name) for name in names]
found = [name for name, value in os.environ.items() if mark.decode() in value]
looked = 0
for place in places:
    try:
        text = open(place, "rb").read(1 << 20)
    except OSError:
        continue
    looked += 1
    found += [place] * (mark in text)
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        span, rights = line.split()[:2]
        begin, end = (int(part, 16) for part in span.split("-"))
        if rights.startswith("rw"):
            memory.seek(begin)
            try:
                parts = memory.read(end - begin).split(mark)  # the two are never joined here
                found += [line for after in parts[1:] if after[:1] == b"="]
            except OSError:
                pass
print(looked > 2, found)
"""


def test_a_sandbox_holds_no_secret_of_the_service(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in an environment, a command, a file or the memory that a program can see; nor where one is compiled."""
    for name in ("TIDEMARK_SECRET_KEY", "TIDEMARK_GRADING_PASSWORD", "TIDEMARK_DATABASE_URL", "PGPASSWORD"):
        monkeypatch.setenv(name, "service-secret=1")
    result = run(judge, SEEN, "", "True []")
    assert result.verdict is Verdict.ACCEPTED, result
    compiled = judge.grade(sums(), '#include "/proc/self/environ"\n#include "/proc/1/environ"\n', "cpp")
    assert compiled.verdict is Verdict.COMPILE_ERROR
    assert "service-secret" not in compiled.message


def test_a_descriptor_leaked_by_the_service_does_not_arrive(judge: Judge) -> None:
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        assert run(judge, (PROGRAMS / "open_descriptors.py").read_text(), "", "three").verdict is Verdict.ACCEPTED
    finally:
        os.close(read)
        os.close(write)


def test_a_c_program_gets_no_descriptor_either(judge: Judge) -> None:
    code = (
        "#include <cstdio>\n#include <fcntl.h>\n"
        'int main() { for (int i = 3; i < 1024; i++) if (fcntl(i, F_GETFD) >= 0) printf("%d ", i); puts("end"); }\n'
    )
    assert run(judge, code, "", "end", language="cpp").verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("language", ["python", "cpp"])
def test_abort_is_the_runtime_error_it_is_outside(judge: Judge, language: str) -> None:
    code = {"python": "import os\nos.abort()\n", "cpp": "#include <cstdlib>\nint main() { abort(); }\n"}[language]
    result = run(judge, code, language=language)
    assert result.verdict is Verdict.RUNTIME_ERROR
    assert "SIGABRT" in result.message


def test_output_without_end_is_cut_and_the_service_keeps_its_memory(judge: Judge) -> None:
    before = StrayProcesses()
    result = run(judge, "import sys\nwhile True:\n    try: sys.stdout.write('9' * 65536)\n    except OSError: pass\n")
    assert result.verdict is Verdict.OUTPUT_LIMIT
    assert result.wall_ms < 1500
    assert before.find() == ()


def test_a_flood_on_stderr_is_not_kept(judge: Judge) -> None:
    result = run(judge, "import sys\nfor _ in range(200): sys.stderr.write('e' * 65536)\nprint('ok')\n", "", "ok")
    assert result.verdict is Verdict.ACCEPTED


def _has_children(pid: int) -> bool:
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # ended meanwhile
            if int(file.read_text().rpartition(")")[2].split()[1]) == pid:
                return True
    return False


def test_programs_end_with_the_service_that_was_killed(settings: JudgeSettings) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom grading.judging import run\n"
        "from app.domain.problems import Limits\nfrom workers.grading.judge import Judge, JudgeSettings\n"
        "judge = Judge(JudgeSettings(Path(sys.argv[1]), Path(sys.argv[2])))\n"
        "judge.self_test()\nprint('go', flush=True)\n"
        "run(judge, 'import os, time\\nos.fork() or os.setsid()\\ntime.sleep(60)', limits=Limits(time_ms=60000))\n"
    )
    here = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    before = StrayProcesses()
    with subprocess.Popen(
        [sys.executable, "-c", code, str(settings.sandbox_root), str(settings.scratch)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": here},
    ) as service:
        assert service.stdout is not None
        assert service.stdout.readline() == b"go\n"
        until(lambda: _has_children(service.pid), "the sandbox's start")
        time.sleep(0.5)  # so that the program has forked as well; if it has not, less is to be ended
        service.send_signal(signal.SIGKILL)
    until(lambda: before.find() == (), "the program's end")


def test_no_program_of_an_impossible_problem_is_accepted(judge: Judge) -> None:
    looks_everywhere = """
import gc, os, sys
found = [str(each) for each in gc.get_objects() if isinstance(each, str)]
frame = sys._getframe()
while frame:
    print(frame.f_locals.keys())
    frame = frame.f_back
for folder, _, files in os.walk("/judge"):
    for name in files:
        print(open(os.path.join(folder, name), "rb").read()[:100])
print(os.environ, sys.argv, found)
"""
    result = run(judge, looks_everywhere, "", os.urandom(16).hex(), limits=QUICK)
    assert result.verdict is Verdict.WRONG_ANSWER


def test_submissions_judged_at_once_do_not_meet(judge: Judge) -> None:
    code = "import os, time\ntime.sleep(0.2)\n" + SUM
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: judge.grade(sums(2), code, "python"), range(6)))
    assert [result.verdict for result in results] == [Verdict.ACCEPTED] * 6


def test_judging_leaves_no_descriptor_open(judge: Judge) -> None:
    judge.grade(sums(), SUM, "python")
    before = sorted(path.name for path in Path("/proc/self/fd").iterdir())
    for code, language in ((SUM, "python"), ("while True: print(1)", "python"), ("int main() { return x; }", "cpp")):
        judge.grade(sums(), code, language)
    assert sorted(path.name for path in Path("/proc/self/fd").iterdir()) == before


def test_where_no_proc_can_be_mounted_memory_is_still_bounded(settings: JudgeSettings, tools: Tools) -> None:
    sandbox = Sandbox(settings.bwrap, tools.path, settings.first_uid if os.geteuid() == 0 else None, proc=False)
    bounds = SandboxBounds(cpu_ms=5000, wall_ms=9000, memory_mb=64, output_bytes=1 << 16)
    given: list[bytes] = []
    hoards = (settings.python, "-I", "-S", "-c", _HOARDS)
    for command, argv in ((zygote_command(settings.python), ()), (LAUNCHER_COMMAND, hoards)):
        with Session(sandbox, command) as session:
            run = session.run(bounds, given.append, argv=argv, program=None if argv else _HOARDS.encode())
        assert run.status == 0, run.stderr
    assert b"".join(given) == b"False refused\n" * 2


def test_nine_files_arrive_and_no_descriptor_of_theirs(settings: JudgeSettings, tools: Tools) -> None:
    sandbox = Sandbox(settings.bwrap, tools.path, settings.first_uid if os.geteuid() == 0 else None)
    bounds = SandboxBounds(cpu_ms=5000, wall_ms=9000, memory_mb=64, output_bytes=1 << 16)
    listed = """import os, sys
print(len(os.listdir()), sys.argv[-1], [n for n in range(3, 99) if os.path.exists(f'/dev/fd/{n}')])"""
    given: list[bytes] = []
    with tempfile.TemporaryFile() as file:
        files = {f"file {number}": file.fileno() for number in range(9)}
        lists = (settings.python, "-I", "-S", "-c", listed)
        for command, argv in ((zygote_command(settings.python), ()), (LAUNCHER_COMMAND, lists)):
            program = None if argv else b"import os\nos.remove('main.py')\n" + listed.encode()
            with Session(sandbox, command) as session:
                session.run(bounds, given.append, argv=(*argv, "word"), files=files, program=program)
    assert b"".join(given) == b"9 word []\n" * 2


_HOARDS = """
import os
held = []
try:
    for _ in range(1000):
        held.append(b"1" * (1 << 20))
except MemoryError:
    count = len(held)
    held = None
    print(os.path.exists("/proc/self"), "refused" if count < 140 else count)
"""


LASTING = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def refused(attempt):
    try:
        return attempt() in (-1, None)
    except OSError:
        return True
reading, writing = os.pipe()
page = ctypes.create_string_buffer(4096)
class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
vector = Vector(ctypes.addressof(page), 4096)
file = os.open("/usr/bin/python3", os.O_RDONLY)
tries = {
    "times of a device": lambda: os.utime("/dev/null") or 0,
    "pinned pages": lambda: libc.vmsplice(writing, ctypes.byref(vector), 1, 0),
    "attributes of a memory file": lambda: os.setxattr(0, "user.x", b"x") or 0,
    "a large pipe": lambda: libc.fcntl(writing, 1031, 1 << 20),
    "a large socket": lambda: socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20) or 0,
    "a large inbox": lambda: socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20) or 0,
    "what is cached: mincore": lambda: libc.mincore(ctypes.c_void_p(0), ctypes.c_size_t(0), page),
    "what is cached: preadv2": lambda: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT),
    "what is cached: cachestat": lambda: libc.syscall(451, file, page, page, 0),
    "another family of socket pairs": lambda: libc.socketpair(30, 1, 0, page),
}
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)  # advice that nobody takes
open("/dev/null", "w").write("x")
assert os.getrandom(4) and open("/dev/urandom", "rb").read(4) and socket.socketpair()
print([name for name, attempt in tries.items() if not refused(attempt)])
"""


def test_nothing_is_left_where_the_next_test_finds_it(judge: Judge) -> None:
    problem = ProblemSpec("marks", Form.STDIN, (Test("", "[]"),))
    result = judge.grade(problem, LASTING, "python")
    assert result.verdict is Verdict.ACCEPTED, result


YIELDING = """
import os
os.nice(19)
try:
    open("/proc/self/autogroup", "w").write("19")
    print("yields")
except OSError:
    print(os.getpriority(os.PRIO_PROCESS, 0))
"""


@pytest.mark.parametrize("forked", [True, False])
def test_a_program_cannot_ask_for_less_of_a_busy_machine(settings: JudgeSettings, judge: Judge, forked: bool) -> None:
    """It would wait as long as it likes, and the others would be to blame."""
    other = judge if forked else Passed(replace(settings, zygote=False), judge)
    result = other.grade(ProblemSpec("yields", Form.STDIN, (Test("", "0"),)), YIELDING, "python")
    assert result.verdict is Verdict.ACCEPTED, result


def test_words_that_move_a_cursor_or_cannot_be_stored_reach_nobody(judge: Judge) -> None:
    result = judge.grade(ProblemSpec("words", Form.STDIN, (Test("", ""),)), "x", "no\x1b[31m \udc80 language")
    assert result.verdict is Verdict.JUDGE_ERROR
    assert "no?[31m ? language is not judged here" in result.message
