"""What the tasks of a test take, as its init sees it in /proc. Beside zygote.py, with the bare standard library."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MORE, SLACK_S = 1.05, 0.03  # than was counted: then some was not
SURE = 3.0  # standard deviations


class Tasks:
    """What all tasks but init's have run, and the time that was lost while they were ready to run without a CPU.

    Tasks that wait for one another have the machine to themselves: no more time is lost than others took, and none
    twice. The kernel tells of a wait when it ends, so it may have begun as early as the look before the task last ran.
    `robbed_s` is what not even all the others' running explains: those who crowd one another may have slept since.

    Children whose parent ignores SIGCHLD end without leaving a count: then more was seen than is counted. Of those that
    live from no look to the next, as many are running at a look as run on average, so each stands for the interval.
    """

    def __init__(self, started: float, cores: int) -> None:
        self.running_s = self.waiting_s = self.robbed_s = 0.0
        self._unseen_s = self._variance = 0.0
        self._looked, self._cores = started, cores
        self._lost_s = self._claimed_s = 0.0  # what others may have taken so far, and up to where it is counted
        # Of each task what it ran and waited, and what all had likely run and lost by the look before that changed.
        self._known: dict[str, tuple[int, int, float, float]] = {}

    def cpu_s(self, counted_s: float) -> float:
        """What they have run, of which the kernel has counted so much; and what is sure of the rest."""
        if self.running_s <= MORE * counted_s + SLACK_S:
            return max(self.running_s, counted_s)
        return max(self.running_s, counted_s + self._unseen_s - SURE * self._variance**0.5)

    def look(self, moment: float) -> None:
        """Add what came since the last look: of a task that has ended since, what was seen of it stays."""
        self.count(moment, times_of_all(), is_running)

    def count(
        self, moment: float, times: dict[str, tuple[int, int]], is_running: Callable[[str], bool] = lambda _: False
    ) -> None:
        """The same, of these nanoseconds on a CPU and ready to run without one, by task."""
        interval, seen, before = moment - self._looked, [], (self.running_s + self._unseen_s, self._lost_s)
        for task, (running, waiting) in times.items():
            last = self._known.get(task, (0, 0, *before))
            if task not in self._known and running and is_running(task):
                likely = interval * running / (running + waiting)
                self._unseen_s += likely
                self._variance += likely * likely
            if last[0] > running or last[1] > waiting:
                last = 0, 0, *before  # another task with the same number
            self.running_s += (running - last[0]) / 1e9
            seen.append((task, running, waiting, last))
        ran = self.running_s + self._unseen_s
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


def is_running(place: str) -> bool:
    """Whether a task has a CPU or waits for one."""
    try:
        with open(f"{place}/stat", "rb", 0) as facts:
            return facts.read().rpartition(b") ")[2][:1] == b"R"
    except OSError:
        return False
