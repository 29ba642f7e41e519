"""CPU time and memory of the tasks of a test, as its init reads them in /proc. Bare standard library, as zygote.py."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DENSE_S = 0.25
KIB_OF_A_PIPE = 16 * os.sysconf("SC_PAGESIZE") >> 10
UNCOUNTED_RATIO, UNCOUNTED_S = 1.05, 0.03  # if more ran than the kernel counted by this, it missed some
SURE_DEVIATIONS = 3.0


class TaskTimes:
    """CPU time of all tasks but init's, and the time lost while they were ready to run without a CPU, in seconds.

    Tasks lose nothing by waiting for one another: no more time counts as lost than other work took, and none twice.
    The kernel adds a wait when it ends, so it may have begun as early as the look before the task last ran.
    `starved_by_others_s` is the part that the CPU time of all other tasks of the test cannot explain: tasks that
    delayed one another may have slept since.

    Children whose parent ignores SIGCHLD end without leaving a count. `_steady_s` is the CPU time of tasks that were
    there at two looks. Of the others, as many run at a look as run on average, so each stands for the interval: the sum
    is `_brief_s`, and the remaining sums give its variance. While there are such, looks are dense, until `dense_until`.
    """

    def __init__(self, started: float, cores: int) -> None:
        self.running_s = self.waiting_s = self.starved_by_others_s = 0.0
        self._steady_s = self._brief_s = self._delayed_s = self.dense_until = 0.0
        self._looks, self._rates, self._squares, self._intervals, self._longest = 0, 0.0, 0.0, 0.0, 0.0
        self._looked, self._cores = started, cores
        self._lost_s = self._claimed_s = 0.0  # what other work may have taken so far, and how much of it is counted
        # By task: nanoseconds run and waited; seconds that all had likely run and lost by the look before a change.
        self._known: dict[str, tuple[int, int, float, float]] = {}

    def cpu_s(self, counted_s: float) -> float:
        """Return the CPU time, of which the kernel counted `counted_s`; uncounted time is added if it is sure."""
        most = max(self.running_s, counted_s)
        return max(most, self.sure_s) if self.running_s > UNCOUNTED_RATIO * counted_s + UNCOUNTED_S else most

    @property
    def sure_s(self) -> float:
        """The CPU time that is sure: `SURE_DEVIATIONS` below the estimate."""
        if not self._looks:
            return 0.0
        spread = max(0.0, self._squares / self._looks - (self._rates / self._looks) ** 2)
        variance = self._intervals * spread + self._longest**2
        return float(self._steady_s + self._brief_s - SURE_DEVIATIONS * variance**0.5)

    def look(self, *, chosen: bool = False) -> float:
        """Add the times since the last look; those of a task that has ended since stay as they were.

        Return the moment at which all is read: that takes long if init waits for a CPU, too, and no task may have
        waited beyond it. If the program may have `chosen` the moment, the look does not count for children that end
        between looks.
        """
        times = read_times()
        moment = time.monotonic()
        self.count(moment, times, None if chosen else rate_of)
        return moment

    def pending_s(self, is_ready: Callable[[str], bool] | None = None) -> float:
        """Return the most seconds that waits which go on now may have lost."""
        is_ready = is_ready or (lambda task: last_cpu(task) >= 0)
        return max(
            (
                self._lost_s - max(since, self._claimed_s)
                for task, (_, _, _, since) in self._known.items()
                if is_ready(task)
            ),
            default=0.0,
        )

    def count(
        self,
        moment: float,
        times: dict[str, tuple[int, int]],
        rate_of: Callable[[str, float], float] | None = lambda _place, _displaced: 0.0,
    ) -> None:
        """Add a look: by task, the nanoseconds on a CPU and those ready to run without one."""
        interval, seen, before = moment - self._looked, [], (self.running_s + self._brief_s, self._lost_s)
        rate = 0.0
        for task, (running, waiting) in times.items():
            last = self._known.get(task, (0, 0, *before))
            is_known = task in self._known
            if rate_of is not None and not is_known:
                rate += rate_of(task, self.running_s / (self.running_s + self._delayed_s + 1e-9))
            if last[0] > running or last[1] > waiting:
                last = 0, 0, *before  # another task with the same number
            self.running_s += (running - last[0]) / 1e9
            self._delayed_s += (waiting - last[1]) / 1e9
            self._steady_s += (running - last[0]) / 1e9 if is_known else 0.0
            seen.append((task, running, waiting, last))
        if rate_of is not None:
            self._add(min(rate, self._cores), interval, moment)
        ran = self.running_s + self._brief_s
        self._lost_s += max(0.0, interval - (ran - before[0]) / self._cores)
        self._known = {}
        for task, running, waiting, last in seen:
            begun, own = max(last[3], self._claimed_s), (running - last[0] + waiting - last[1]) / 1e9
            waited = max(0.0, min((waiting - last[1]) / 1e9, self._lost_s - begun))
            self.waiting_s += waited
            self.starved_by_others_s += max(0.0, min(waited, own - (ran - last[2])))
            self._claimed_s = begun + waited if waited else self._claimed_s
            self._known[task] = last if last[:2] == (running, waiting) else (running, waiting, *before)
        self._looked = moment

    def _add(self, rate: float, interval: float, moment: float) -> None:
        """Add an interval at whose end `rate` CPUs ran new processes."""
        self._brief_s += rate * interval
        self._looks += 1
        self._rates += rate
        self._squares += rate * rate
        self._intervals += interval * interval
        self._longest = max(self._longest, interval)
        if rate:
            self.dense_until = moment + DENSE_S


def read_times() -> dict[str, tuple[int, int]]:
    """Return the nanoseconds on a CPU and ready to run without one of every task but init's, by folder in /proc."""
    times = {}
    for pid in os.listdir("/proc"):
        if not pid.isdigit() or pid == "1":
            continue
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                place = f"/proc/{pid}/task/{task}"
                with open(f"{place}/schedstat", "rb", 0) as facts:
                    running, waiting, _ = map(int, facts.read().split())
                times[place] = running, waiting
        except (OSError, ValueError):
            continue  # it has just ended
    return times


def rate_of(place: str, displaced: float) -> float:
    """Return 1 if a new process has a CPU, `displaced` if it may just have lost that to init, else 0."""
    _, _, pid, _, task = place.split("/")
    if pid != task:
        return 0.0
    # The kernel updates a task's clock at its ticks only; the counts of its starts and stops are always exact.
    starts = number_in(f"{place}/schedstat")
    stops = sum_in(f"{place}/status", (b"voluntary_ctxt_switches:", b"nonvoluntary_ctxt_switches:"))
    if starts > stops:
        return 1.0
    return displaced if starts and last_cpu(place) == last_cpu("/proc/1") else 0.0


def last_cpu(place: str) -> int:
    """Return the last CPU of a task that has one or waits for one; else -1."""
    try:
        with open(f"{place}/stat", "rb", 0) as facts:
            fields = facts.read().rpartition(b") ")[2].split()
        return int(fields[36]) if fields[0] == b"R" else -1
    except (OSError, ValueError, IndexError):
        return -1  # it has just ended


def init_wait_s() -> float:
    """Return the seconds that init has waited for a CPU."""
    try:
        with open("/proc/1/schedstat", "rb", 0) as facts:
            return int(facts.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def wall_s(elapsed_s: float, waited_s: float) -> float:
    """Return the wall time of a program that has ended, without the time that init waited for a CPU to see that.

    Not below 0: waits have a clock of their own, which may be ahead.
    """
    return max(0.0, elapsed_s - waited_s)


def kib_in_pipes(places: list[str], *, exactly: bool) -> int:
    """Return the KiB that pipes of these processes may hold, which no count of a process includes.

    Unless pipes are counted, `exactly`, every descriptor counts as one; so does each that a process hides.
    """
    pipes: set[tuple[int, int]] = set()
    unnamed = 0
    for place in places:
        try:
            if exactly:
                pipes.update(pipes_of(place))
            else:
                unnamed += max_descriptors(place)
        except PermissionError:
            room = max_descriptors(place)  # first: it may begin to end at any moment
            unnamed += room if has_memory(place) else 0
        except OSError:
            continue  # it has just ended
    return (len(pipes) + unnamed) * KIB_OF_A_PIPE


def pipes_of(place: str) -> set[tuple[int, int]]:
    """Return the pipes of which a process has an end, as pairs of device and inode."""
    pipes = set()
    for descriptor in os.listdir(f"{place}/fd"):
        try:
            facts = os.stat(f"{place}/fd/{descriptor}")
        except FileNotFoundError:
            continue  # closed meanwhile
        if facts.st_mode & 0o170000 == 0o010000:
            pipes.add((facts.st_dev, facts.st_ino))
    return pipes


def max_descriptors(place: str) -> int:
    """Return an upper bound of the number of a process's descriptors."""
    return sum_in(f"{place}/status", (b"FDSize:",))


# --- memory ---


def memory_above(limit: int, own: int) -> int:
    """Return the KiB that all processes hold if that is above `limit`, else 0. `own` is each one's part of the zygote.

    Slower counts come last, and the fair one twice: if a process ends during it, pages that it shared count in others
    again.
    """
    for share, exactly, fairly in ((own, False, False), (own, True, False), (0, True, True), (0, True, True)):
        used = kib_of_all(share, exactly=exactly, fairly=fairly)
        if used <= limit:
            return 0
    return used


def kib_of_all(own: int, *, exactly: bool, fairly: bool) -> int:
    """Return the KiB that all processes hold, with pipes and sockets; `own` is taken off each."""
    pids = [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]
    places = [place for pid in pids if (place := memory_place(pid))]
    held = sum(max(0, resident_kib(place, fairly=fairly) - own) for place in places)
    return kib_in_sockets() + kib_in_pipes(places, exactly=exactly) + held


def memory_place(pid: str) -> str:
    """Return the folder in /proc that shows a process's memory; "" if the process is ending.

    It is that of the main thread, or if that has ended, of another thread.
    """
    place = f"/proc/{pid}"
    if has_memory(place):
        return place
    try:
        threads = [f"{place}/task/{task}" for task in os.listdir(f"{place}/task")]
    except OSError:
        return ""
    return next(filter(has_memory, threads), "")


def has_memory(place: str) -> bool:
    """Return whether a process is not ending.

    While it gives back its memory, on a busy machine for tens of milliseconds, its descriptors cannot be read, as if it
    hid them.
    """
    return sum_in(f"{place}/status", (b"VmSize:",)) > 0


def kib_in_sockets() -> int:
    """Return the KiB that sockets of this network namespace may hold, which no count of a process includes."""
    return number_in("/proc/self/net/sockstat") * BYTES_OF_A_SOCKET >> 10


def number_in(path: str) -> int:
    """Return the last number of a file's first line; 0 if there is none."""
    try:
        with open(path, "rb") as facts:
            return int(facts.readline().split()[-1])
    except (OSError, ValueError, IndexError):
        return 0


BYTES_OF_A_SOCKET = number_in(
    "/proc/sys/net/core/wmem_default"
)  # at most; read here, since a test's own /proc lacks it


def resident_kib(place: str, *, fairly: bool = False) -> int:
    """Return the anonymous and shared memory of a process in KiB; pages of files belong to the page cache.

    `fairly`: pages that forks share are split among them, which takes longer.
    """
    total = sum_in(f"{place}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:")) if fairly else 0
    return total or sum_in(f"{place}/status", (b"RssAnon:", b"RssShmem:"))


def sum_in(path: str, fields: tuple[bytes, ...]) -> int:
    """Return the sum of these fields of a file; 0 if there is none."""
    try:
        with open(path, "rb") as facts:
            return sum(int(line.split()[1]) for line in facts if line.startswith(fields))
    except OSError:
        return 0
