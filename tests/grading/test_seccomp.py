"""The system call filter, instruction by instruction, for every architecture it is made for."""

import errno
import struct

import pytest

from app.domain.errors import SandboxUnavailable
from workers.grading.sandbox import seccomp

ALLOW, KILL = "allow", "kill"
X86_64, AARCH64 = (0xC000003E, "x86_64"), (0xC00000B7, "aarch64")
NEWUSER, THREAD, FILES = 0x10000000, 0x3D0F00, 0x400

# Name, number on x86_64 and aarch64 (None where there is none), arguments, answer.
CALLS = [
    ("read", 0, 63, (), ALLOW),
    ("execve", 59, 221, (), ALLOW),
    ("openat", 257, 56, (), ALLOW),
    ("getrandom", 318, 278, (), ALLOW),
    ("clone: thread", 56, 220, (THREAD,), ALLOW),
    ("clone: thread with descriptors of its own", 56, 220, (THREAD & ~FILES,), errno.EPERM),
    ("clone: user namespace", 56, 220, (NEWUSER | 17,), errno.EPERM),
    ("clone3", 435, 435, (), errno.ENOSYS),
    ("unshare", 272, 97, (NEWUSER,), errno.EPERM),
    ("setns", 308, 268, (), errno.EPERM),
    ("mount", 165, 40, (), errno.EPERM),
    ("move_mount", 429, 429, (), errno.EPERM),
    ("ptrace", 101, 117, (), errno.EPERM),
    ("process_vm_readv", 310, 270, (), errno.EPERM),
    ("pidfd_getfd", 438, 438, (), errno.EPERM),
    ("keyctl", 250, 219, (), errno.EPERM),
    ("bpf", 321, 280, (), errno.EPERM),
    ("perf_event_open", 298, 241, (), errno.EPERM),
    ("userfaultfd", 323, 282, (), errno.EPERM),
    ("io_uring_setup", 425, 425, (), errno.ENOSYS),
    ("memfd_create", 319, 279, (), errno.EPERM),
    ("shmget", 29, 194, (), errno.EPERM),
    ("inotify_init1", 294, 26, (), errno.EPERM),
    ("reboot", 169, 142, (), errno.EPERM),
    ("kexec_load", 246, 104, (), errno.EPERM),
    ("flock", 73, 32, (), errno.EPERM),
    ("fcntl: get flags", 72, 25, (0, 3), ALLOW),
    ("fcntl: lock", 72, 25, (0, 6), errno.EPERM),
    ("fcntl: lease", 72, 25, (0, 1024), errno.EPERM),
    ("ioctl: terminal size", 16, 29, (0, 0x5413), ALLOW),
    ("ioctl: type into the terminal", 16, 29, (0, 0x5412), errno.EPERM),
    ("socket: unix", 41, 198, (1,), ALLOW),
    ("socket: internet", 41, 198, (2,), errno.EAFNOSUPPORT),
    ("socket: vsock", 41, 198, (40,), errno.EAFNOSUPPORT),
    ("socket: unix in the low half only", 41, 198, (1 | 1 << 40,), ALLOW),
    ("socketpair: unix", 53, 199, (1, 1), ALLOW),
    ("socketpair: transparent inter-process communication", 53, 199, (30, 1), errno.EAFNOSUPPORT),
    ("vmsplice", 278, 75, (), errno.EPERM),
    ("fcntl: how long a file's data lasts", 72, 25, (0, 1036), errno.EPERM),
    ("fcntl: the same, of one descriptor", 72, 25, (0, 1038), errno.EPERM),
    ("fcntl: a larger pipe", 72, 25, (0, 1031, 1 << 20), errno.EPERM),
    ("setsockopt: a larger buffer to send", 54, 208, (0, 1, 7), errno.EPERM),
    ("setsockopt: a larger buffer to receive", 54, 208, (0, 1, 8), errno.EPERM),
    ("setxattr", 188, 5, (), errno.EPERM),
    ("fsetxattr", 190, 7, (), errno.EPERM),
    ("mincore", 27, 232, (), errno.EPERM),
    ("cachestat", 451, 451, (), errno.EPERM),
    ("fadvise64", 221, 223, (3, 0, 0, 4), 0),
    ("readahead", 187, 213, (3, 0, 4096), 0),
    ("preadv2", 327, 286, (3, 0, 1, 0, 0, 0), ALLOW),
    ("preadv2: only what is cached", 327, 286, (3, 0, 1, 0, 0, 8), errno.EOPNOTSUPP),
    ("mmap: private memory", 9, 222, (0, 4096, 3, 0x22), ALLOW),
    ("mmap: a shared file", 9, 222, (0, 4096, 3, 0x01), ALLOW),
    ("mmap: shared memory", 9, 222, (0, 4096, 3, 0x21), errno.EPERM),
    ("mmap: shared memory, in one piece", 9, 222, (0, 4096, 3, 0x1 | 0x20 | 0x8000), errno.EPERM),
    ("prlimit64: its own", 302, 261, (0, 7, 99), ALLOW),
    ("prlimit64: init's", 302, 261, (1, 7, 99), errno.EPERM),
    ("setpriority: its own", 141, 140, (0, 0, 5), 0),
    ("setpriority: another process", 141, 140, (0, 1, 5), errno.EPERM),
    ("setpriority: all of a user", 141, 140, (2, 0, 5), errno.EPERM),
    ("a call of the future", 463, 463, (), errno.ENOSYS),
    ("x32 getpid", 0x40000000 + 39, None, (), KILL),
]


def answer(program: bytes, arch: int, number: int, arguments: tuple[int, ...]) -> str | int:
    """Interpret classic BPF over a struct seccomp_data."""
    data = struct.pack("<IIQ6Q", number, arch, 0, *(*arguments, *[0] * (6 - len(arguments))))
    word = at = 0
    while True:
        code, yes, no, value = struct.unpack_from("<HBBI", program, 8 * at)
        at += 1
        if code == 0x20:
            word = struct.unpack_from("<I", data, value)[0]
        elif code == 0x05:
            at += value
        elif code == 0x06:
            number_or_name: str | int = {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(value, value & 0xFFFF)
            return number_or_name
        else:
            met = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[code]
            at += yes if met else no


@pytest.mark.parametrize(("name", "x86_64", "aarch64", "arguments", "wanted"), CALLS, ids=[call[0] for call in CALLS])
def test_what_each_call_is_answered(
    name: str, x86_64: int, aarch64: int | None, arguments: tuple[int, ...], wanted: str | int
) -> None:
    for (arch, machine), number in ((X86_64, x86_64), (AARCH64, aarch64)):
        if number is not None:
            assert answer(seccomp.build(machine), arch, number, arguments) == wanted


@pytest.mark.parametrize(("arch", "machine"), [X86_64, AARCH64])
def test_every_listed_call_is_refused_and_no_neighbour(arch: int, machine: str) -> None:
    program, listed = seccomp.build(machine), seccomp.filtered_calls(machine)
    for number in range(463):
        refused = answer(program, arch, number, (0, 0)) not in (ALLOW, errno.EAFNOSUPPORT)
        if refused:
            assert number in listed
        elif number in listed:
            assert listed[number] in (
                "clone", "fcntl", "ioctl", "mmap", "preadv2", "prlimit64", "setpriority", "socket",
                "socketpair", "setsockopt",
            )  # fmt: skip


@pytest.mark.parametrize(("arch", "machine"), [X86_64, AARCH64])
def test_another_calling_convention_ends_the_program(arch: int, machine: str) -> None:
    assert answer(seccomp.build(machine), 0x40000003, 1, ()) == KILL


def test_an_unknown_architecture_has_no_sandbox() -> None:
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        seccomp.build("riscv64")
