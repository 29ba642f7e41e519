"""A program of the self-test, run like a judged one, which tries what no judged program may do.

stdin: one JSON object {"file", "port", "name", "mark", "space_mb"}; stdout: one JSON object, by check "" if the
sandbox held, else the failure.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROCESSES = 300


def read_host_files(host: dict[str, Any]) -> str:
    for path in (host["file"], "/etc/passwd", "/etc/shadow", "/root", "/home", "/sys/kernel", "/var"):
        try:
            os.listdir(path) if os.path.isdir(path) else open(path, "rb").close()
        except OSError:
            continue
        return f"{path} can be read"
    return ""


def reach_listeners(host: dict[str, Any]) -> str:
    addresses = ((socket.AF_INET, ("127.0.0.1", host["port"])), (socket.AF_UNIX, "\0" + host["name"]))
    for family, address in addresses:
        try:
            with socket.socket(family) as connection:
                connection.settimeout(1)
                connection.connect(address)
        except OSError:
            continue
        return f"the host's listener on {address!r} answered"
    return ""


def signal_processes(host: dict[str, Any]) -> str:
    if (os.getpid(), os.getppid()) != (2, 1):
        return f"pid {os.getpid()} under {os.getppid()}"
    for pid in range(3, 2000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        except OSError as error:
            return f"pid {pid}: {error}"
        return f"pid {pid} can be signalled"
    return ""


def call_forbidden(host: dict[str, Any]) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    reading, pipe = os.pipe()
    local = socket.socket(socket.AF_UNIX)
    tries = {
        "unshare": lambda: libc.unshare(0x10000000),
        "ptrace": lambda: libc.ptrace(0, 0, 0, 0),
        "mount": lambda: libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None),
        "chroot": lambda: libc.chroot(b"/"),
        "memfd_create": lambda: libc.memfd_create(b"x", 0),
        "inotify": lambda: libc.inotify_init1(0),
        "shmget": lambda: libc.shmget(0, 4096, 0o1600),
        "vsock": lambda: libc.socket(40, 1, 0),
        "setns": lambda: libc.setns(0, 0x20000000),
        "vmsplice": lambda: libc.vmsplice(pipe, None, 0, 0),
        "setxattr": lambda: libc.fsetxattr(0, b"user.x", b"x", 1, 0),
        "a larger pipe": lambda: libc.fcntl(pipe, 1031, 1 << 17),
        "a larger socket": lambda: libc.setsockopt(local.fileno(), 1, 7, ctypes.byref(ctypes.c_int(1 << 20)), 4),
        "socketpair": lambda: libc.socketpair(30, 1, 0, ctypes.byref(ctypes.c_uint64())),
        "mincore": lambda: libc.mincore(None, 0, None),
    }
    allowed = [name for name, attempt in tries.items() if attempt() >= 0]
    os.close(reading)
    os.close(pipe)
    local.close()
    state = {}
    try:
        with open("/proc/self/status") as status:
            state = dict(line.split(":", 1) for line in status)
    except OSError:
        pass
    for field, wanted in (("Seccomp", 2), ("NoNewPrivs", 1), ("CapEff", 0), ("CapPrm", 0)):
        if field in state and int(state[field], 16) != wanted:
            allowed.append(f"{field} is {state[field].strip()}")
    return ", ".join(allowed)


def set_device_times(host: dict[str, Any]) -> str:
    """Set device times: they are the host's, and would show the next test a mark of this one."""
    for name in os.listdir("/dev"):
        try:
            os.utime(f"/dev/{name}", follow_symlinks=False)
        except OSError:
            continue
        return f"the times of /dev/{name} can be set"
    return ""


def list_descriptors(host: dict[str, Any]) -> str:
    numbers = []
    for fd in range(3, 4096):
        try:
            os.fstat(fd)
        except OSError:
            continue
        numbers.append(str(fd))
    return ", ".join(numbers)


def outer_uid_fault(host: dict[str, Any]) -> str:
    try:
        with open("/proc/self/uid_map") as mapping:
            return "the kernel's own uid is 0" if mapping.read().split()[1] == "0" else ""
    except OSError:
        return ""  # no /proc here; the other side looks too


def open_sysctls(host: dict[str, Any]) -> str:
    for path in (
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sysrq-trigger",
        "/sys/power/state",
    ):
        try:
            os.close(os.open(path, os.O_WRONLY))
        except OSError:
            continue
        return f"{path} opens for writing"
    return ""


def allocate_memory(host: dict[str, Any]) -> str:
    try:
        block = bytearray(host["space_mb"] << 20)
    except MemoryError:
        return ""
    return f"{len(block) >> 20} MiB could be had"


def start_processes(host: dict[str, Any]) -> str:
    children = []
    try:
        for _ in range(PROCESSES):
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    except OSError:
        return ""
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)
    return f"{PROCESSES} processes could be started"


def is_followed(memory: bytes, mark: bytes, sign: bytes) -> bool:
    """Return whether `mark` is in memory with `sign` after it; this program never joins the two."""
    at = memory.find(mark)
    while at >= 0:
        end = at + len(mark)
        if memory[end : end + 1] == sign:
            return True
        at = memory.find(mark, end)
    return False


def find_secrets(host: dict[str, Any]) -> str:
    """Search for a secret of the other side: in its memory only, the mark is followed by one."""
    mark = "".join(host["mark"]).encode()
    for _, value in os.environ.items():
        if mark.decode() in value:
            return "found in the environment"
    try:
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as mem:
            for line in maps:
                bounds, rights = line.split()[:2]
                start, end = (int(part, 16) for part in bounds.split("-"))
                if rights.startswith("rw") and end - start < 1 << 28:
                    mem.seek(start)
                    if is_followed(mem.read(end - start), mark, b"="):
                        return "found in memory"
    except OSError:
        pass
    return ""


host = json.loads(sys.stdin.read())
checks = {
    "host_file": read_host_files,
    "loopback": reach_listeners,
    "pids": signal_processes,
    "seccomp": call_forbidden,
    "marks": set_device_times,
    "descriptors": list_descriptors,
    "outer_uid": outer_uid_fault,
    "sysctl": open_sysctls,
    "memory": allocate_memory,
    "processes": start_processes,
    "expected": find_secrets,
}
print(json.dumps({name: check(host) for name, check in checks.items()}))
