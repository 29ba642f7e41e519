"""The system calls that a judged program may not make, as a classic BPF program.

The filter is a deny list, because judged languages need very different calls. A refused call fails with an errno, so
that the program gets an error; only a foreign calling convention kills it. The zygote and the C launcher load the same
bytes, once per test, and the kernel then runs the filter for every call number there is: hence a search tree.
"""

import errno
import platform
import struct
from dataclasses import dataclass

from app.domain.errors import SandboxUnavailable

_LOAD, _JUMP, _JUMP_EQ, _JUMP_GE, _JUMP_SET, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_FARTHEST = 255  # instructions that a conditional jump can skip
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NR, _ARCH, _ARG0, _ARG1, _ARG2, _ARG3, _ARG5 = (
    0,
    4,
    16,
    24,
    32,
    40,
    56,
)  # in struct seccomp_data; arguments have 8 bytes, low half first

_NAMESPACE_FLAGS = 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x00020000
_THREAD, _FILES = 0x00010000, 0x00000400  # of clone
_AF_UNIX = 1
_LAST_KNOWN = 462  # numbers are common to all architectures from 424 on; later calls do not exist for the program

# Same numbers everywhere.
_COMMON = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "clone3": 435, "pidfd_getfd": 438,
    "process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "memfd_secret": 447, "process_mrelease": 448,
    "set_mempolicy_home_node": 450, "statmount": 457, "listmount": 458, "lsm_get_self_attr": 459,
    "lsm_set_self_attr": 460, "lsm_list_modules": 461, "cachestat": 451,
}  # fmt: skip

_X86_64 = _COMMON | {
    "ioctl": 16, "socket": 41, "socketpair": 53, "setsockopt": 54, "clone": 56, "fcntl": 72,
    "mmap": 9, "setpriority": 141, "prlimit64": 302,
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
    "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308,
    "name_to_handle_at": 303, "open_by_handle_at": 304,
    "add_key": 248, "request_key": 249, "keyctl": 250, "flock": 73, "inotify_init": 253, "inotify_init1": 294,
    "fanotify_init": 300, "fanotify_mark": 301,
    "shmget": 29, "shmat": 30, "shmctl": 31, "semget": 64, "semop": 65, "semctl": 66, "semtimedop": 220,
    "msgget": 68, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "mq_open": 240, "memfd_create": 319,
    "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "syslog": 103, "personality": 135, "vhangup": 153,
    "modify_ldt": 154, "_sysctl": 156, "adjtimex": 159, "acct": 163, "settimeofday": 164, "swapon": 167,
    "swapoff": 168, "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "create_module": 174, "init_module": 175, "delete_module": 176, "finit_module": 313, "quotactl": 179,
    "nfsservctl": 180, "lookup_dcookie": 212, "clock_settime": 227, "clock_adjtime": 305, "kexec_load": 246,
    "kexec_file_load": 320, "mbind": 237, "set_mempolicy": 238, "migrate_pages": 256, "move_pages": 279,
    "sched_setparam": 142, "sched_setscheduler": 144, "sched_setaffinity": 203, "sched_setattr": 314,
    "ioprio_set": 251, "vmsplice": 278, "mincore": 27, "preadv2": 327, "fadvise64": 221, "readahead": 187,
    # Attributes of a memory file, such as stdin, are memory without limit that no count of a process shows.
    "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190,
}  # fmt: skip

_AARCH64 = _COMMON | {
    "ioctl": 29, "socket": 198, "socketpair": 199, "setsockopt": 208, "clone": 220, "fcntl": 25,
    "mmap": 222, "setpriority": 140, "prlimit64": 261,
    "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
    "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "unshare": 97, "setns": 268,
    "name_to_handle_at": 264, "open_by_handle_at": 265,
    "add_key": 217, "request_key": 218, "keyctl": 219, "flock": 32, "inotify_init1": 26,
    "fanotify_init": 262, "fanotify_mark": 263,
    "shmget": 194, "shmctl": 195, "shmat": 196, "semget": 190, "semctl": 191, "semtimedop": 192, "semop": 193,
    "msgget": 186, "msgctl": 187, "msgrcv": 188, "msgsnd": 189, "mq_open": 180, "memfd_create": 279,
    "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "syslog": 116, "personality": 92, "vhangup": 58,
    "adjtimex": 171, "acct": 89, "settimeofday": 170, "swapon": 224, "swapoff": 225, "reboot": 142,
    "sethostname": 161, "setdomainname": 162, "init_module": 105, "delete_module": 106, "finit_module": 273,
    "quotactl": 60, "nfsservctl": 42, "lookup_dcookie": 18, "clock_settime": 112, "clock_adjtime": 266,
    "kexec_load": 104, "kexec_file_load": 294, "mbind": 235, "set_mempolicy": 237, "migrate_pages": 238,
    "move_pages": 239, "sched_setparam": 118, "sched_setscheduler": 119, "sched_setaffinity": 122,
    "sched_setattr": 274, "ioprio_set": 30, "vmsplice": 75, "mincore": 232, "preadv2": 286, "fadvise64": 223,
    "readahead": 213, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7,
}  # fmt: skip

# These are decided by their arguments; all other calls of a table are refused.
_BY_ARGUMENT = frozenset({
    "ioctl", "socket", "socketpair", "setsockopt", "clone", "fcntl", "mmap", "setpriority", "prlimit64", "preadv2",
})  # fmt: skip
_NOT_THERE = frozenset({"clone3", "memfd_secret", "io_uring_setup", "io_uring_enter", "io_uring_register"})
_NOT_TAKEN = frozenset({"fadvise64", "readahead"})  # advice on the page cache, which other programs share
_LOCKS = (1024, 1026, 6, 7, 37, 38)  # F_SETLEASE, F_NOTIFY, F_SETLK(W), F_OFD_SETLK(W): a channel over shared files
_HINTS = (1036, 1038)  # F_SET_RW_HINT, F_SET_FILE_RW_HINT: before Linux 6.9 every user could mark any file's inode
_PIPE_SIZE = 1031  # F_SETPIPE_SZ: the content of pipes is memory that no count of a process shows
_BUFFERS = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF and the forced ones: the content of sockets is such memory too
_NOWAIT = 0x08  # of preadv2: shows the content of the page cache, and so which files were read before
_TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: typing into a terminal


@dataclass(frozen=True, slots=True)
class _Architecture:
    audit_arch: int
    calls: dict[str, int]
    foreign_from: int | None = None  # x32 calls carry this bit


_MACHINES = {
    "x86_64": _Architecture(0xC000003E, _X86_64, 0x40000000),
    "aarch64": _Architecture(0xC00000B7, _AARCH64),
}


_SHARED, _ANONYMOUS = 0x01, 0x20  # of mmap


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def _return(action: int) -> bytes:
    return _op(_RETURN, action)


def _refuse(number: int) -> bytes:
    return _return(_ERRNO | number)


def _unless(values: tuple[int, ...], otherwise: bytes) -> bytes:
    """Return code that answers `otherwise` if the loaded word is one of `values`, and else allows the call."""
    return b"".join(_op(_JUMP_EQ, value, 0, 1) + otherwise for value in values) + _return(_ALLOW)


def _by_argument(name: str) -> bytes:
    """Return the code that answers a call by its arguments."""
    denied = _refuse(errno.EPERM)
    match name:
        case "clone":
            # A thread with descriptors of its own would hide them: they are counted by process.
            shares = _op(_JUMP_SET, _THREAD, 0, 2) + _op(_JUMP_SET, _FILES, 1, 0) + denied
            return _op(_LOAD, _ARG0) + _op(_JUMP_SET, _NAMESPACE_FLAGS, 0, 1) + denied + shares + _return(_ALLOW)
        case "socket" | "socketpair":
            only = _op(_JUMP_EQ, _AF_UNIX, 0, 1) + _return(_ALLOW)
            return _op(_LOAD, _ARG0) + only + _refuse(errno.EAFNOSUPPORT)
        case "fcntl":
            return _op(_LOAD, _ARG1) + _unless((*_LOCKS, *_HINTS, _PIPE_SIZE), denied)
        case "setsockopt":
            return _op(_LOAD, _ARG2) + _unless(_BUFFERS, denied)
        case "ioctl":
            return _op(_LOAD, _ARG1) + _unless(_TERMINAL, denied)
        case "preadv2":
            return _op(_LOAD, _ARG5) + _op(_JUMP_SET, _NOWAIT, 0, 1) + _refuse(errno.EOPNOTSUPP) + _return(_ALLOW)
        case "mmap":
            # Pages of shared anonymous memory stay after they are unmapped, and no count of a process shows them.
            one, other = _op(_JUMP_SET, _ANONYMOUS, 0, 2), _op(_JUMP_SET, _SHARED, 0, 1)
            return _op(_LOAD, _ARG3) + one + other + denied + _return(_ALLOW)
        case "prlimit64":
            # Its own limits only: init has the same uid, and with no descriptors left it could see nothing.
            return _op(_LOAD, _ARG0) + _op(_JUMP_EQ, 0, 1, 0) + denied + _return(_ALLOW)
        case "setpriority":
            # It has no effect: a program of low priority on a busy machine could wait at will, and would be excused.
            its_own = _op(_LOAD, _ARG0) + _op(_JUMP_EQ, 0, 0, 2) + _op(_LOAD, _ARG1) + _op(_JUMP_EQ, 0, 1, 0)
            return its_own + denied + _refuse(0)
    raise ValueError(name)


def _answer(name: str) -> bytes:
    if name in _BY_ARGUMENT:
        return _by_argument(name)
    if name in _NOT_TAKEN:
        return _refuse(0)
    return _refuse(errno.ENOSYS if name in _NOT_THERE else errno.EPERM)


def _answers(calls: dict[str, int]) -> list[tuple[int, bytes]]:
    """Return pairs (first call number of a range, its answer), in order."""
    answers: list[tuple[int, bytes]] = []
    expected = 0
    for name, number in sorted(calls.items(), key=lambda call: call[1]):
        if number > expected:
            answers.append((expected, _return(_ALLOW)))
        if not answers or answers[-1][1] != _answer(name):
            answers.append((number, _answer(name)))
        expected = number + 1
    return [*answers, (expected, _return(_ALLOW)), (_LAST_KNOWN + 1, _refuse(errno.ENOSYS))]


def _tree(answers: list[tuple[int, bytes]]) -> bytes:
    if len(answers) == 1:
        return answers[0][1]
    middle = len(answers) // 2
    lower, upper = _tree(answers[:middle]), _tree(answers[middle:])
    skipped = len(lower) // 8
    if skipped <= _FARTHEST:
        return _op(_JUMP_GE, answers[middle][0], skipped, 0) + lower + upper
    return _op(_JUMP_GE, answers[middle][0], 0, 1) + _op(_JUMP, skipped) + lower + upper


def filtered_calls(machine: str) -> dict[int, str]:
    """Return the calls that are refused or filtered by argument on `machine`, by number."""
    return {number: name for name, number in _MACHINES[machine].calls.items()}


def build(machine: str | None = None) -> bytes:
    """Return the filter for `machine` (by default this one) as an array of struct sock_filter.

    Raises SandboxUnavailable on an architecture whose call numbers are not known here.
    """
    name = machine or platform.machine()
    architecture = _MACHINES.get(name)
    if architecture is None:
        raise SandboxUnavailable(f"no system call filter is known for {name}")
    program = _op(_LOAD, _ARCH) + _op(_JUMP_EQ, architecture.audit_arch, 1, 0) + _return(_KILL) + _op(_LOAD, _NR)
    if architecture.foreign_from is not None:
        program += _op(_JUMP_GE, architecture.foreign_from, 0, 1) + _return(_KILL)
    return program + _tree(_answers(architecture.calls))
