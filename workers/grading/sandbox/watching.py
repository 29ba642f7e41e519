"""What the tasks of a test take, as its init sees it in /proc. Beside zygote.py, with the bare standard library."""

from __future__ import annotations

import os

MORE, SLACK_S = 1.05, 0.03  # than was counted: then some was not
SURE = 3.0  # standard deviations


class Tasks:
    """What all tasks but init's have run, and the time that was lost while they were ready to run without a CPU.

    Tasks that wait for one another have the machine to themselves: no more time is lost than others took. `robbed_s` is
    what not even all the others' running explains: those who crowd one another may have slept since.

    Children whose parent ignores SIGCHLD end without leaving a count: then more was seen than is counted. Of those that
    live from no look to the next, as many are running at a look as run on average, so each stands for the interval.
    """

    def __init__(self, started: float) -> None:
        self.running_s = self.waiting_s = self.robbed_s = 0.0
        self._unseen_s = self._variance = 0.0
        self._looked, self._cores = started, os.cpu_count() or 1
        self._known: dict[str, tuple[int, int]] = {}

    def cpu_s(self, counted_s: float) -> float:
        """What they have run, of which the kernel has counted so much; and what is sure of the rest."""
        if self.running_s <= MORE * counted_s + SLACK_S:
            return max(self.running_s, counted_s)
        return max(self.running_s, counted_s + self._unseen_s - SURE * self._variance**0.5)

    def look(self, moment: float) -> None:
        """Add what came since the last look: of a task that has ended since, what was seen of it stays."""
        ran = waited = busiest = 0.0
        interval = moment - self._looked
        now: dict[str, tuple[int, int]] = {}
        for pid in os.listdir("/proc"):
            if not pid.isdigit() or pid == "1":
                continue
            try:
                for task in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{task}/schedstat", "rb", 0) as facts:
                        running, waiting, _ = map(int, facts.read().split())
                    now[task] = running, waiting
                    if task not in self._known and is_running(pid, task):
                        likely = interval * running / ((running + waiting) or 1)
                        self._unseen_s += likely
                        self._variance += likely * likely
            except (OSError, ValueError):
                continue  # it has just ended
        for task, (running, waiting) in now.items():
            before = self._known.get(task, (0, 0))
            if before[0] > running or before[1] > waiting:
                before = 0, 0  # another task with the same number
            ran += (running - before[0]) / 1e9
            waited += (waiting - before[1]) / 1e9
            busiest = max(busiest, (running - before[0] + waiting - before[1]) / 1e9)
        lost = max(0.0, interval - ran / self._cores)
        self.running_s += ran
        self.waiting_s += min(waited, lost)
        self.robbed_s += min(max(0.0, busiest - ran), lost)
        self._looked, self._known = moment, now


def is_running(pid: str, task: str) -> bool:
    """Whether a task has a CPU or waits for one."""
    with open(f"/proc/{pid}/task/{task}/stat", "rb", 0) as facts:
        return facts.read().rpartition(b") ")[2][:1] == b"R"
