"""A started Python that forks once per test, inside bubblewrap. Bare standard library; talks to session.py.

Three processes per test:

    zygote   pid 1 of the submission's sandbox. Never parses an untrusted byte, holds no expected output.
    init     pid 1 of the test's own pid, mount and ipc namespaces. Enforces wall, CPU and memory, reaps all,
             reports. A payload as pid 1 would ignore its own abort(), hence this one.
    payload  pid 2. Drops every capability, loads the filter, then reads the program and runs it.

`python3 main.py` is the behaviour to match: names, streams, exit codes, what is flushed at exit.
"""

from __future__ import annotations

import _signal as signal  # not signal, socket, typing, array or platform: their imports would double the start
import _socket as socket
import ctypes
import gc
import os
import resource
import select
import struct
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from workers.grading.sandbox import guest
    from workers.grading.sandbox.task_usage import TaskTimes, init_wait_s, memory_above, resident_kib, wall_s
else:
    import guest  # beside this file where it runs
    from task_usage import TaskTimes, init_wait_s, memory_above, resident_kib, wall_s

# Shared with session.py and launcher.c: CPU ms, wall ms, address space, memory KiB, file size, processes,
# descriptors, tmpfs MiB. And back: stage, errno, wait status, enforced limits, microseconds of CPU and of wall time,
# upper and lower bound of those that it was starved of CPU, peak KiB.
REQUEST = struct.Struct("<IIQQQIII")
REPLY = struct.Struct("<iiiIQQQQQ")
WALL, CPU, MEMORY, STARVED = 1, 2, 4, 8
STAGE_NAMESPACES, STAGE_MOUNT, STAGE_INIT, STAGE_PAYLOAD, STAGE_FILES = 1, 2, 3, 4, 5
STAGE_RUNNING = -1  # the test goes on: these are its times so far

NEW_NAMESPACES = 0x00020000 | 0x08000000 | 0x20000000  # mount, ipc, pid
CLONE = {"x86_64": 56, "aarch64": 220}
NOSUID_NODEV_NOEXEC = 2 | 4 | 8
REMOUNT_READ_ONLY = 32 | 4096 | 1 | 2 | 8  # a bind mount, without set-uid bits and programs
SET_DUMPABLE, SET_SECCOMP, SET_NO_NEW_PRIVS, FILTER_MODE = 4, 22, 38, 2
SAMPLE_S, DENSE_SAMPLE_S, REPORT_S = 0.025, 0.005, 0.1
# The wall limit grows by the time that tasks of the program wait for a CPU, up to this many times itself.
MAX_WALL_STRETCH = 100
INODES = 8192
DESCRIPTORS = 1024
PROGRAM, FILES = 4, 9  # descriptors of a whole program: its streams and its source; then as many files at most

libc = ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the interpreter lock, so that a raw clone stays sound


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def answer_failure(control: socket.socket, stage: int, number: int) -> None:
    control.send(REPLY.pack(stage, number, 0, 0, 0, 0, 0, 0, 0))


def has_proc() -> bool:
    return os.path.exists("/proc/self")


# --- the zygote ---------------------------------------------------------------------------------------------------


def serve(control: socket.socket, filter_code: Filter, called: bool) -> None:
    clone = CLONE[os.uname().machine]
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own handler would let a program end its init
    for number in range(1, signal.NSIG):  # programs do not inherit the signals that the service was started to ignore
        if signal.getsignal(number) == signal.SIG_IGN and number not in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
    check(libc.prctl(SET_DUMPABLE, 0, 0, 0, 0))
    gc.disable()
    gc.collect()
    gc.freeze()
    control.send(b"ready")
    while True:
        message, fds = receive(control)
        if not message:
            return
        pid = libc.syscall(clone, NEW_NAMESPACES | signal.SIGCHLD, 0, 0, 0, 0)
        if pid < 0:
            answer_failure(control, STAGE_NAMESPACES, ctypes.get_errno())
        elif pid == 0:
            init(control, message, fds, filter_code, called)
        for fd in fds:
            os.close(fd)
        if pid > 0:
            await_request_or_end(control, pid)


def await_request_or_end(control: socket.socket, pid: int) -> None:
    """Wait for the next request or for init's end: its namespaces may end while the next test runs."""
    end = os.pidfd_open(pid)
    events = select.poll()
    events.register(end, select.POLLIN)
    events.register(control, select.POLLIN)
    if any(fd == end for fd, _ in events.poll()) and os.waitpid(pid, 0)[1] != 0:
        answer_failure(control, STAGE_INIT, 0)
    os.close(end)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def receive(control: socket.socket) -> tuple[bytes, list[int]]:
    message, ancillary, _, _ = control.recvmsg(1 << 16, socket.CMSG_SPACE((PROGRAM + FILES) * 4))
    fds = b"".join(data for _, _, data in ancillary)
    return message, list(struct.unpack(f"{len(fds) // 4}i", fds))


# --- pid 1 of a test ----------------------------------------------------------------------------------------------


def init(control: socket.socket, message: bytes, fds: list[int], filter_code: Filter, called: bool) -> NoReturn:
    code, stage, request = 1, STAGE_MOUNT, REQUEST.unpack_from(message)
    strings = message[REQUEST.size :].split(b"\0")[:-1]
    own, files = (fds, []) if called else (fds[:PROGRAM], fds[PROGRAM:])
    try:
        mount_fresh(request[7])
        drop_capabilities()
        failure, failure_end = os.pipe()
        stage = STAGE_FILES
        place_files(strings, files)
        stage = STAGE_INIT
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            payload(request, [*own, failure_end], filter_code, called, strings[len(files) :])
        for fd in (*fds, failure_end):
            os.close(fd)
        wall, enforced, tasks, sampled = watch(control, pid, request, started)
        status = os.waitpid(pid, 0)[1]
        end_all()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = tasks.cpu_s(usage.ru_utime + usage.ru_stime)
        peak = max(usage.ru_maxrss, sampled)
        failed = os.read(failure, 1)  # all who could write have ended
        failed_stage = STAGE_PAYLOAD if failed else 0
        times = (int(seconds * 1e6) for seconds in (cpu, wall, tasks.waiting_s, tasks.starved_by_others_s))
        control.send(REPLY.pack(failed_stage, sum(failed), status, enforced, *times, peak))
        code = 0
    except OSError as error:
        answer_failure(control, stage, error.errno or 0)
        code = 0
    finally:
        os._exit(code)


def mount_fresh(megabytes: int) -> None:
    options = f"size={megabytes}m,nr_inodes={INODES},mode=1777".encode()
    check(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", NOSUID_NODEV_NOEXEC, options))
    # Without the rights to mount a procfs there is none: bubblewrap then made no /proc either.
    if has_proc():
        # Read-only: a session's share of the CPUs is set there.
        check(libc.mount(b"proc", b"/proc", b"proc", NOSUID_NODEV_NOEXEC | 1, b"subset=pid"))
    os.chdir("/tmp")
    os.setsid()


def protect_device_times() -> None:
    """Mount the devices read-only: data can still be written, but not their times, which would outlive the test."""
    for name in (b"null", b"full", b"random", b"urandom"):
        check(libc.mount(None, b"/dev/" + name, None, REMOUNT_READ_ONLY, None))


def place_files(names: list[bytes], contents: list[int]) -> None:
    """Copy files to the current folder, so that the program may change them; the originals are sealed."""
    for name, content in zip(names, contents, strict=False):  # arguments follow
        if name.endswith(b"/"):
            os.mkdir(name, 0o700)
            continue
        copy, at, size = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 0, os.fstat(content).st_size
        while at < size:
            at += os.sendfile(copy, content, at, size - at)
        os.close(copy)


def drop_capabilities() -> None:
    header = struct.pack("<Ii", 0x20080522, 0)
    check(libc.capset(header, b"\0" * 24))


def watch(
    control: socket.socket, pid: int, request: tuple[int, ...], started: float
) -> tuple[float, int, TaskTimes, int]:
    """Wait for the end of pid 2, and kill everything at a limit.

    Return its wall time in seconds, the enforced limits, the times of its tasks, and KiB of memory above the limit.
    """
    cpu_limit, wall_limit, memory_limit = request[0] / 1e3, request[1] / 1e3, request[3]
    clock = (~pid << 3) | 2  # the kernel's process CPU clock of `pid`
    enforced = sampled = 0
    tasks, reported, due = TaskTimes(started, len(os.sched_getaffinity(0))), started, started + SAMPLE_S
    own = resident_kib("/proc/1") if has_proc() else 0
    waited_before, is_seen = init_wait_s(), False
    while not has_ended(pid):
        wall, cpu = time.monotonic() - started, cpu_time(clock)
        # Not whenever a child ends, which a program chooses. But before a program is late, its times are read again.
        sampling = own > 0 and (started + wall >= due or wall >= wall_limit + tasks.waiting_s)
        if sampling:
            wall, is_seen = tasks.look(chosen=started + wall < due) - started, True
        cpu = max(cpu, tasks.running_s, tasks.sure_s)
        fair = wall_limit + tasks.waiting_s
        if wall >= fair:
            fair += tasks.pending_s()
        rest = min(fair, wall_limit * MAX_WALL_STRETCH) - wall
        if not enforced:
            sampled = memory_above(memory_limit, own) if sampling else 0
            late = 0 if rest > 0 else WALL if wall >= fair else STARVED
            enforced = late | (CPU if cpu >= cpu_limit else 0) | (MEMORY if sampled else 0)
            if enforced:
                kill_all()
        if started + wall - reported >= REPORT_S:
            reported = started + wall
            report_times(control, cpu, wall, tasks.waiting_s + tasks.pending_s(), tasks.starved_by_others_s)
        now = time.monotonic()
        if now >= due:
            pause = DENSE_SAMPLE_S if now < tasks.dense_until else SAMPLE_S
            due = now + pause * (0.5 + os.urandom(1)[0] / 256)  # at random, so that no program knows when
        waited_before = init_wait_s()
        signal.sigtimedwait({signal.SIGCHLD}, max(0.001, min(due - now, rest, cpu_limit - cpu)))
    wall = wall_s(time.monotonic() - started, init_wait_s() - waited_before)
    if is_seen:
        tasks.look(chosen=True)
    return wall, enforced, tasks, sampled


def report_times(control: socket.socket, *seconds: float) -> None:
    """Send the times so far: CPU, wall, starved, starved by others. Dropped if the other side does not read."""
    times = (int(time_s * 1e6) for time_s in seconds)
    try:
        control.send(REPLY.pack(STAGE_RUNNING, 0, 0, 0, *times, 0), socket.MSG_DONTWAIT)
    except BlockingIOError:
        pass


def cpu_time(clock: int) -> float:
    try:
        return time.clock_gettime(clock)
    except OSError:
        return 0.0  # it has just ended; its rusage has the time


def has_ended(pid: int) -> bool:
    """Return whether `pid` has ended, which is not reaped here; reap all others that have."""
    while facts := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        if facts.si_pid == pid:
            return True
        os.waitpid(facts.si_pid, 0)
    return False


def kill_all() -> None:
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_all() -> None:
    """End and reap all processes that pid 2 left behind, so that their CPU time counts and none survives."""
    kill_all()
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


# --- pid 2: the program -------------------------------------------------------------------------------------------


def payload(
    request: tuple[int, ...], fds: list[int], filter_code: Filter, called: bool, arguments: list[bytes]
) -> NoReturn:
    """Become the program. The last of `fds` reports our own failures to init; it closes before the program runs."""
    failure_end = len(fds) - 1
    try:
        arrange_descriptors(fds)
        source = read_all(3)
        call = read_all(4) if called else b""
        set_limits(request)
        os.setsid()  # some kernels share CPUs among sessions: the program would pay for the time that init takes
        check(libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        check(libc.prctl(SET_SECCOMP, FILTER_MODE, ctypes.byref(filter_code), 0, 0))
        check(libc.prctl(SET_DUMPABLE, 1, 0, 0, 0))  # else /dev/stdin belongs to root; ptrace is refused anyway
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        signal.signal(signal.SIGINT, signal.default_int_handler)
    except Exception as error:
        os.write(failure_end, bytes([getattr(error, "errno", None) or 255]))
        os._exit(1)
    os.close(failure_end)
    gc.enable()
    if called:
        guest.run_call(source, call, result=5)
    guest.run_main(source, arguments)


def arrange_descriptors(fds: list[int]) -> None:
    """Put stdin, stdout, stderr, the program, the call and the result pipe at 0 to 5, and close all others."""
    spare = 64  # above the numbers that arrived and the wanted ones
    for place, fd in enumerate(fds):
        os.dup2(fd, spare + place)
    for place in range(len(fds)):
        os.dup2(spare + place, place, inheritable=place < 3)
    os.closerange(len(fds), DESCRIPTORS)


def read_all(fd: int) -> bytes:
    """Return the content of a sealed memory file and close it; its offset, shared by all tests, does not move."""
    data = os.pread(fd, os.fstat(fd).st_size, 0)
    os.close(fd)
    return data


def set_limits(request: tuple[int, ...]) -> None:
    cpu_ms, _, space, _, file_size, processes, descriptors, _ = request
    seconds = cpu_ms * 3 // 2000 + 5  # a rough backstop: init enforces the limit much sooner
    for kind, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_NOFILE, descriptors),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_AS, space),
    ):
        resource.setrlimit(kind, (value, value))
    most = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (most, most))


def main() -> None:
    """Serve. Arguments: the filter's path, "main", "call" or "test", modules to import, the control descriptor."""
    filter_path, form, modules, control = sys.argv[1:]
    with open(filter_path, "rb") as file:
        code = file.read()
    called = form != "main"
    if called:
        __import__("function_calls")
    protect_device_times()
    del sys.path[:2]  # this folder and the current one; programs import the standard library and packages only
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    guest.prepare(modules.split(), called=called, tested=form == "test")
    # Its number came from the other side and may be large; a low one is sure to be closed in the payload.
    low = os.dup(int(control))
    os.close(int(control))
    serve(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, low), Filter(len(code) // 8, code), called)
