"""Child processes: programs are told of their end, and their CPU time counts whatever a program says about them."""

# ruff: noqa: E501  # programs

import os

import pytest
from grading.judging import is_late, run
from support.missing import missing

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Limits, ProblemSpec, Test
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.runner import LAUNCHER_COMMAND, zygote_command
from workers.grading.sandbox.bubblewrap import Sandbox
from workers.grading.sandbox.protocol import SandboxBounds
from workers.grading.sandbox.root import Tools
from workers.grading.sandbox.session import Session

pytestmark = pytest.mark.sandbox
ROOMY = Limits(time_ms=4000, memory_mb=256, output_kb=1024)

HANDLED = {
    "python": "import os, signal\nsignal.signal(signal.SIGCHLD, lambda *_: print('ended', flush=True))\nif os.fork() == 0: os._exit(0)\nos.wait()\n",
    "cpp": '#include <bits/stdc++.h>\n#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\nvolatile int told;\nint main() { signal(SIGCHLD, [](int) { told = 1; }); if (!fork()) _exit(0); wait(0); puts(told ? "ended" : "-"); }',
    "javascript": "process.stdout.write(require('child_process').spawnSync('/bin/echo', ['ended']).stdout)",
}


@pytest.mark.parametrize("language", HANDLED)
def test_a_program_hears_of_its_childrens_end(judge: Judge, language: str) -> None:
    if judge.find(language) is None:
        missing(language, judge.refused_languages()[language])
    assert run(judge, HANDLED[language], "", "ended", language=language, limits=ROOMY).verdict is Verdict.ACCEPTED


# Children of LENGTH ms each, which nobody waits for.
SHORT = {
    "ignored": """import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(CHILDREN):
    if os.fork() == 0:
        while time.process_time() < LENGTH / 1000: pass
        os._exit(0)
    try: os.wait()
    except ChildProcessError: pass
""",
    "not kept": """#include <bits/stdc++.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
int main() {
    struct sigaction said = {};
    said.sa_handler = [](int) {};
    said.sa_flags = SA_NOCLDWAIT | SA_RESTART;
    sigaction(SIGCHLD, &said, 0);
    for (int n = 0; n < CHILDREN; n++) {
        if (!fork()) { while (clock() < CLOCKS_PER_SEC * LENGTH / 1000) {} _exit(0); }
        while (wait(0) > 0) {}
    }
}
""",
}


def short(name: str, children: int, length_ms: int) -> str:
    return SHORT[name].replace("CHILDREN", str(children)).replace("LENGTH", str(length_ms))


@pytest.mark.parametrize(("name", "language"), [("ignored", "python"), ("not kept", "cpp")])
def test_the_time_of_children_that_nobody_waits_for_counts(judge: Judge, name: str, language: str) -> None:
    result = run(judge, short(name, 80, 20), language=language, limits=ROOMY)
    assert result.cpu_ms > 1300, result  # of 1600: what chance alone may explain is not sure
    problem = ProblemSpec("one", Form.STDIN, (Test("", ""),), Limits(200, 256, 1024))
    assert is_late(judge, problem, short(name, 1000, 5), language)


def test_the_time_of_children_that_are_waited_for_is_exact(judge: Judge) -> None:
    code = short("ignored", 100, 5).replace("signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n", "")
    code += "import resource, sys\nused = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]\nsys.exit(f'used {round(1000 * sum(u.ru_utime + u.ru_stime for u in used))} ')"
    result = run(judge, code, limits=ROOMY)
    own_ms = float(result.message.split("used ")[1].split()[0])
    assert own_ms <= result.cpu_ms + 1, result
    assert result.cpu_ms < 1.1 * own_ms + 40, result


# What children share takes them a while to give back, and all of them are killed at once.
DYING = """
import mmap, os, signal
held = mmap.mmap(-1, 100 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
held.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, 100 << 20, 4096): held[at] = 1
children = []
for _ in range(50):
    child = os.fork()
    if child == 0: signal.pause()
    children.append(child)
for child in children: os.kill(child, signal.SIGKILL)
for child in children: os.waitpid(child, 0)
"""


@pytest.mark.parametrize("forked", [True, False])
def test_children_that_are_ending_hold_no_more_than_they_did(
    settings: JudgeSettings, tools: Tools, forked: bool
) -> None:
    """The kernel shows their descriptors to nobody then: they hide none."""
    sandbox = Sandbox(settings.bwrap, tools.path, settings.first_uid if os.geteuid() == 0 else None)
    bounds = SandboxBounds(cpu_ms=20_000, wall_ms=60_000, memory_mb=128, output_bytes=1)
    argv = () if forked else (settings.python, "-I", "-S", "-c", DYING)
    with Session(sandbox, zygote_command(settings.python) if forked else LAUNCHER_COMMAND) as session:
        run = session.run(bounds, lambda _: None, argv=argv, program=DYING.encode() if forked else None)
    assert (run.status, run.memory_cut) == (0, False), run
    assert run.peak_kb > 100 << 10


# Of each child the main thread has ended: the kernel shows what it holds with another one only.
WITHOUT_MAIN = {
    "python": """
import ctypes, os, threading, time
def hold():
    time.sleep(0.3)
    held = bytearray(45 << 20)
    for at in range(0, len(held), 4096): held[at] = 1
    time.sleep(1)
    os._exit(0)
for _ in range(6):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
for _ in range(6): os.wait()
print("done")
""",
    "cpp": """
#include <cstdio>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile char held[45 << 20];
void *hold(void *) {
    usleep(300000);
    for (size_t at = 0; at < sizeof held; at += 4096) held[at] = 1;
    sleep(1);
    _exit(0);
}
int main() {
    pthread_t thread;
    for (int i = 0; i < 6; i++)
        if (!fork()) {
            pthread_create(&thread, nullptr, hold, nullptr);
            pthread_exit(nullptr);
        }
    while (wait(nullptr) > 0) {}
    puts("done");
}
""",
}


@pytest.mark.parametrize("language", WITHOUT_MAIN)
def test_what_other_threads_hold_counts_when_the_main_one_has_ended(judge: Judge, language: str) -> None:
    program = WITHOUT_MAIN[language]
    result = run(judge, program, "", "done", language=language, limits=Limits(time_ms=5000, memory_mb=128))
    assert result.verdict is Verdict.MEMORY_LIMIT, result
    plenty = run(judge, program, "", "done", language=language, limits=Limits(time_ms=5000, memory_mb=512))
    assert plenty.verdict is Verdict.ACCEPTED, plenty
