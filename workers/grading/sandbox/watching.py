"""What the tasks of a test take, as its init sees it in /proc. Beside zygote.py, with the bare standard library."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DENSE_S = 0.25
KIB_OF_A_PIPE = 16 * os.sysconf("SC_PAGESIZE") >> 10
MORE, SLACK_S = 1.05, 0.03  # than was counted: then some was not
SURE = 3.0  # standard deviations


class Tasks:
    """What all tasks but init's have run, and the time that was lost while they were ready to run without a CPU.

    Tasks that wait for one another have the machine to themselves: no more time is lost than others took, and none
    twice. The kernel tells of a wait when it ends, so it may have begun as early as the look before the task last ran.
    `robbed_s` is what not even all the others' running explains: those who crowd one another may have slept since.

    Children whose parent ignores SIGCHLD end without leaving a count. `_steady_s` is what tasks ran that were there at
    two looks. Of the others, as many run at a look as run on average, so each stands for the interval: that is
    `_brief_s`, and the rest tells how sure it is. Looks are to be dense until `dense_until`, while there are such.
    """

    def __init__(self, started: float, cores: int) -> None:
        self.running_s = self.waiting_s = self.robbed_s = 0.0
        self._steady_s = self._brief_s = self._delayed_s = self.dense_until = 0.0
        self._looks, self._rates, self._squares, self._intervals, self._longest = 0, 0.0, 0.0, 0.0, 0.0
        self._looked, self._cores = started, cores
        self._lost_s = self._claimed_s = 0.0  # what others may have taken so far, and up to where it is counted
        # Of each task what it ran and waited, and what all had likely run and lost by the look before that changed.
        self._known: dict[str, tuple[int, int, float, float]] = {}

    def cpu_s(self, counted_s: float) -> float:
        """What they have run, of which the kernel counted so much; of more that was seen, what is beyond chance."""
        most = max(self.running_s, counted_s)
        return max(most, self.sure_s) if self.running_s > MORE * counted_s + SLACK_S else most

    @property
    def sure_s(self) -> float:
        """What they have run, beyond chance."""
        if not self._looks:
            return 0.0
        spread = max(0.0, self._squares / self._looks - (self._rates / self._looks) ** 2)
        variance = self._intervals * spread + self._longest**2
        return float(self._steady_s + self._brief_s - SURE * variance**0.5)

    def look(self, *, chosen: bool = False) -> float:
        """Add what came since the last look: of a task that has ended since, what was seen of it stays.

        Returns the moment, which is when all is read: to read takes long where init waits for a CPU, too, and no task
        may have waited beyond it. From a look at a moment that the program may have `chosen` follows nothing for
        children that end between looks.
        """
        times = times_of_all()
        moment = time.monotonic()
        self.count(moment, times, None if chosen else rate_of)
        return moment

    def pending_s(self, is_ready: Callable[[str], bool] | None = None) -> float:
        """What waits that go on now may come to."""
        is_ready = is_ready or (lambda task: place_of(task) >= 0)
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
        rate_of: Callable[[str, float], float] | None = lambda _place, _before_us: 0.0,
    ) -> None:
        """The same, of these nanoseconds on a CPU and ready to run without one, by task."""
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
            self.robbed_s += max(0.0, min(waited, own - (ran - last[2])))
            self._claimed_s = begun + waited if waited else self._claimed_s
            self._known[task] = last if last[:2] == (running, waiting) else (running, waiting, *before)
        self._looked = moment

    def _add(self, rate: float, interval: float, moment: float) -> None:
        """So many CPUs had new processes at the look, and stand for the interval."""
        self._brief_s += rate * interval
        self._looks += 1
        self._rates += rate
        self._squares += rate * rate
        self._intervals += interval * interval
        self._longest = max(self._longest, interval)
        if rate:
            self.dense_until = moment + DENSE_S


def times_of_all() -> dict[str, tuple[int, int]]:
    """What the kernel says of every task but init's, by the place of its facts."""
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


def rate_of(place: str, before_us: float) -> float:
    """Whether a new process has a CPU: 1, or `before_us` where it may have lost that to init, which looks; else 0."""
    _, _, pid, _, task = place.split("/")
    if pid != task:
        return 0.0
    # The kernel brings a task's clock up to date at its ticks only; but how often it came and went is always true.
    starts = number_in(f"{place}/schedstat")
    stops = sum_in(f"{place}/status", (b"voluntary_ctxt_switches:", b"nonvoluntary_ctxt_switches:"))
    if starts > stops:
        return 1.0
    return before_us if starts and place_of(place) == place_of("/proc/1") else 0.0


def place_of(place: str) -> int:
    """Of a task that has a CPU or waits for one, the CPU that it had last; else -1."""
    try:
        with open(f"{place}/stat", "rb", 0) as facts:
            fields = facts.read().rpartition(b") ")[2].split()
        return int(fields[36]) if fields[0] == b"R" else -1
    except (OSError, ValueError, IndexError):
        return -1  # it has just ended


def own_wait_s() -> float:
    """How long init has waited for a CPU."""
    try:
        with open("/proc/1/schedstat", "rb", 0) as facts:
            return int(facts.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def wall_s(elapsed_s: float, waited_s: float) -> float:
    """How long a program took that has ended: it may have when init began to wait for a CPU, to find that out.

    Never below 0: waits have a clock of their own, which may be ahead.
    """
    return max(0.0, elapsed_s - waited_s)


def in_pipes(places: list[str], *, exactly: bool) -> int:
    """What pipes of these processes may hold in KiB: no count of a process shows it.

    Unless they are counted, `exactly`, whatever descriptors there may be are some; so are those that a process hides.
    """
    found: set[tuple[int, int]] = set()
    unnamed = 0
    for place in places:
        try:
            if exactly:
                found.update(pipes_of(place))
            else:
                unnamed += room_for_descriptors(place)
        except PermissionError:
            room = room_for_descriptors(place)  # first: it may begin to end at any moment
            unnamed += room if has_memory(place) else 0
        except OSError:
            continue  # it has just ended
    return (len(found) + unnamed) * KIB_OF_A_PIPE


def pipes_of(place: str) -> set[tuple[int, int]]:
    """The pipes that a process has an end of, each by what is its alone."""
    found = set()
    for descriptor in os.listdir(f"{place}/fd"):
        try:
            facts = os.stat(f"{place}/fd/{descriptor}")
        except FileNotFoundError:
            continue  # closed meanwhile
        if facts.st_mode & 0o170000 == 0o010000:
            found.add((facts.st_dev, facts.st_ino))
    return found


def room_for_descriptors(place: str) -> int:
    """How many descriptors a process has, at most."""
    return sum_in(f"{place}/status", (b"FDSize:",))


# --- memory ---


def memory_above(limit: int, own: int) -> int:
    """KiB held by all processes when that is more than `limit`, else 0; `own` is each one's share of the zygote.

    What takes longer is asked last, and twice: what those who end meanwhile shared counts again with who shares it.
    """
    for share, exactly, fairly in ((own, False, False), (own, True, False), (0, True, True), (0, True, True)):
        used = held_by_all(share, exactly=exactly, fairly=fairly)
        if used <= limit:
            return 0
    return used


def held_by_all(own: int, *, exactly: bool, fairly: bool) -> int:
    pids = [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]
    places = [place for pid in pids if (place := shown_at(pid))]
    held = sum(max(0, resident(place, fairly=fairly) - own) for place in places)
    return in_sockets() + in_pipes(places, exactly=exactly) + held


def shown_at(pid: str) -> str:
    """Where the kernel shows what a process holds: with its main thread or, where that has ended, with another; "" of
    one that is ending.
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
    """Whether a process is not ending: while its memory is given back, on a busy machine for tens of milliseconds, its
    descriptors look as if they were hidden, and it hides none."""
    return sum_in(f"{place}/status", (b"VmSize:",)) > 0


def in_sockets() -> int:
    """What the sockets of this network namespace may hold in KiB: no count of a process shows what is in them."""
    return number_in("/proc/self/net/sockstat") * BYTES_OF_A_SOCKET >> 10


def number_in(path: str) -> int:
    """The last number of a file's first line; 0 where there is none."""
    try:
        with open(path, "rb") as facts:
            return int(facts.readline().split()[-1])
    except (OSError, ValueError, IndexError):
        return 0


BYTES_OF_A_SOCKET = number_in("/proc/sys/net/core/wmem_default")  # that it may hold; a test's own /proc does not say it


def resident(place: str, *, fairly: bool = False) -> int:
    """Anonymous and shared memory of a process in KiB; file pages are the page cache's.

    `fairly`, pages that forks share are split among them, which takes longer to find out.
    """
    total = sum_in(f"{place}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:")) if fairly else 0
    return total or sum_in(f"{place}/status", (b"RssAnon:", b"RssShmem:"))


def sum_in(path: str, fields: tuple[bytes, ...]) -> int:
    """The sum of these fields of a file; 0 where there is none."""
    try:
        with open(path, "rb") as facts:
            return sum(int(line.split()[1]) for line in facts if line.startswith(fields))
    except OSError:
        return 0
