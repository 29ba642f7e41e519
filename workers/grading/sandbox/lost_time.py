"""Whose time a test takes: what its tasks run, and what they lose to others. In init; bare standard library."""

import os


class Tasks:
    """What all tasks but init's have run, and the time that was lost while they were ready to run without a CPU.

    Tasks that wait for one another have the machine to themselves: no more time is lost than others took, and none
    twice. The kernel tells of a wait when it ends, so it may have begun as early as the look before the task last ran.
    """

    def __init__(self, started: float, cores: int) -> None:
        self.running_s = self.waiting_s = 0.0
        self._looked, self._cores = started, cores
        self._lost_s = self._claimed_s = 0.0  # what others may have taken so far, and up to where it is counted
        self._known: dict[str, tuple[int, int, float]] = {}

    def look(self, moment: float) -> None:
        """Add what came since the last look: of a task that has ended since, what was seen of it stays."""
        self.count(moment, times_of_all())

    def count(self, moment: float, times: dict[str, tuple[int, int]]) -> None:
        """The same, of these nanoseconds on a CPU and ready to run without one, by task."""
        before, ran, seen = self._lost_s, 0.0, []
        for task, (running, waiting) in times.items():
            last = self._known.get(task, (0, 0, before))
            if last[0] > running or last[1] > waiting:
                last = 0, 0, before  # another task with the same number
            ran += (running - last[0]) / 1e9
            seen.append((task, running, waiting, last))
        self._lost_s += max(0.0, moment - self._looked - ran / self._cores)
        self._known = {}
        for task, running, waiting, last in seen:
            begun = max(last[2], self._claimed_s)
            waited = max(0.0, min((waiting - last[1]) / 1e9, self._lost_s - begun))
            self.waiting_s += waited
            self._claimed_s = begun + waited if waited else self._claimed_s
            self._known[task] = last if last[:2] == (running, waiting) else (running, waiting, before)
        self.running_s += ran
        self._looked = moment


def times_of_all() -> dict[str, tuple[int, int]]:
    """What the kernel says of every task but init's."""
    times = {}
    for pid in os.listdir("/proc"):
        if not pid.isdigit() or pid == "1":
            continue
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/schedstat", "rb", 0) as facts:
                    running, waiting, _ = map(int, facts.read().split())
                times[task] = running, waiting
        except (OSError, ValueError):
            continue  # it has just ended
    return times
