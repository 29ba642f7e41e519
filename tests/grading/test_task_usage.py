"""What a program lost to others, from what the kernel says of its tasks at each look."""

import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from workers.grading.sandbox import protocol, task_usage
from workers.grading.sandbox.task_usage import TaskTimes

LOOK_S = 0.025


def watched(looks: Iterable[dict[str, tuple[float, float]]], cores: int = 2) -> TaskTimes:
    """After these looks: of each task the seconds on a CPU and ready to run, so far."""
    tasks = TaskTimes(100.0, cores)
    for number, times in enumerate(looks, 1):
        nanoseconds = {task: (round(run * 1e9), round(wait * 1e9)) for task, (run, wait) in times.items()}
        tasks.count(100.0 + number * LOOK_S, nanoseconds)
    return tasks


def counted(looks: Iterable[dict[str, tuple[float, float]]]) -> tuple[float, float]:
    """(seconds run, seconds lost) after these looks."""
    tasks = watched(looks)
    return tasks.running_s, tasks.waiting_s


def test_a_wait_is_told_when_it_ends_and_counts_in_full() -> None:
    looks = [{"2": (0.004, 0.0)}] + [{"2": (0.004, 0.0)}] * 40 + [{"2": (0.008, 1.0)}]
    assert counted(looks) == pytest.approx((0.008, 1.0))


def test_the_clock_of_waits_may_be_ahead() -> None:
    """What init cannot write into its report ends the test as a fault of ours."""
    assert task_usage.wall_s(0.5, 1e9) == 0.0
    assert task_usage.wall_s(7.5, 7.0) == 0.5


def test_a_wait_that_goes_on_may_come_to_all_that_was_lost_since_it_began() -> None:
    tasks = watched([{"2": (0.004, 0.0), "3": (0.004, 0.0)}] * 41)
    assert tasks.waiting_s == 0.0
    assert tasks.pending_s(lambda task: task == "2") == pytest.approx(1.02, abs=0.01)
    assert tasks.pending_s(lambda task: False) == 0.0
    tasks.count(100.0 + 42 * LOOK_S, {"2": (4_000_000, 1_000_000_000), "3": (4_000_000, 0)})
    assert tasks.waiting_s == 1.0
    assert tasks.pending_s(lambda task: task == "2") < 0.06


def test_of_a_look_at_a_moment_that_a_program_chose_follows_nothing_for_its_children() -> None:
    chosen, due = TaskTimes(0.0, 2), TaskTimes(0.0, 2)
    for look in range(1, 9):
        times = {str(look): (1_000_000, 0)}
        chosen.count(look * LOOK_S, times, None)
        due.count(look * LOOK_S, times, lambda _task, _displaced: 1.0)
    assert (chosen.sure_s, chosen.dense_until, chosen.running_s) == (0.0, 0.0, due.running_s)
    assert due.sure_s > 0.1


def test_waits_at_the_same_time_count_once() -> None:
    looks = [{"2": (0.0, 0.0), "3": (0.0, 0.0)}] * 40 + [{"2": (0.0, 1.0), "3": (0.0, 0.0)}]
    looks += [{"2": (0.0, 1.0), "3": (0.0, 1.02)}]
    assert 1.02 <= counted(looks)[1] <= len(looks) * LOOK_S + 1e-9


def test_tasks_that_wait_for_one_another_lose_nothing() -> None:
    step = LOOK_S
    looks = [
        {str(task): (look * step / 2, look * step * 9 / 10) for task in range(4)} for look in range(1, 100)
    ]  # two cores' worth of running in every look, and more waiting than time
    assert counted(looks)[1] == pytest.approx(0.0)


def test_who_crowded_itself_and_then_sleeps_gains_nothing_by_it() -> None:
    crowd = [{str(task): (look * LOOK_S / 2, look * LOOK_S) for task in range(4)} for look in range(1, 41)]
    asleep = [crowd[-1]] * 400
    woken = [{task: (run + 0.001, wait + 0.001) for task, (run, wait) in crowd[-1].items()}]
    assert counted(crowd + asleep + woken)[1] < 0.01


def test_sleep_is_no_wait() -> None:
    assert counted([{"2": (0.001, 0.0)}] * 100) == pytest.approx((0.001, 0.0))


def test_a_number_that_another_task_has_now_begins_anew() -> None:
    assert counted([{"7": (0.02, 0.0)}, {"7": (0.005, 0.01)}]) == pytest.approx((0.025, 0.01))
    assert counted([{"7": (0.005, 0.01)}, {"7": (0.02, 0.0)}])[0] == pytest.approx(0.025), "it waited less than before"


def test_short_waits_between_short_runs_count_whatever_the_looks_fall_on() -> None:
    times, now, run, wait = [], 0.0, 0.0, 0.0
    for look in range(1, 200):
        while now + 0.034 <= look * LOOK_S:
            now, run, wait = now + 0.034, run + 0.004, wait + 0.030
        times.append({"2": (run, wait)})
    assert counted(times)[1] == pytest.approx(wait, rel=0.03)


def test_others_rob_who_waits_alone_and_nobody_robs_who_crowds_on_one_of_two_cores() -> None:
    alone = [{"2": (0.004, 0.0)}] * 40 + [{"2": (0.008, 0.99)}]
    assert watched(alone).starved_by_others_s == pytest.approx(0.99, rel=0.02)
    crowd = [{str(task): (look * LOOK_S / 3, look * LOOK_S * 2 / 3) for task in range(3)} for look in range(1, 100)]
    tasks = watched(crowd)
    assert tasks.waiting_s > 1
    assert tasks.starved_by_others_s < 1e-6


@pytest.mark.parametrize("length_s", [0.001, 0.005, 0.02, 0.1])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_children_that_end_between_two_looks_are_counted_but_for_what_chance_explains(
    length_s: float, share: float
) -> None:
    """One after another, each with such a share of the time; the kernel has counted none of them."""
    tasks, chance, now = TaskTimes(0.0, 2), random.Random(1), 0.0
    while now < 3.0:
        now += 0.005 * chance.uniform(0.5, 1.5)
        number, since = divmod(now, length_s / share)
        times = {str(number): (round(since * 1e9), 0)} if since < length_s else {}
        tasks.count(now, times, lambda _task, _displaced: 1.0)
    ran = tasks.cpu_s(0.0)
    assert 0.85 < ran / (now * share) < 1.01


def test_of_what_ran_for_one_long_interval_nothing_is_sure() -> None:
    """However short the others are: of that one a single look speaks."""
    tasks = TaskTimes(0.0, 2)
    for number, moment in enumerate((1.0, 1.01, 1.02)):
        tasks.count(moment, {str(number): (1_000_000, 0)}, lambda _task, _displaced: 1.0)
    assert tasks.sure_s < 0


def test_no_more_ran_at_once_than_there_are_cores() -> None:
    tasks = TaskTimes(0.0, 2)
    for look in range(1, 41):
        tasks.count(look * LOOK_S, {f"{look}-{task}": (0, 0) for task in range(9)}, lambda _task, _displaced: 1.0)
    assert 1.5 < tasks.sure_s < 2 * 40 * LOOK_S


def test_what_the_kernel_has_counted_is_exact_where_nothing_more_was_seen() -> None:
    tasks = watched([{"2": (look * LOOK_S / 2, 0.0)} for look in range(1, 100)])
    assert tasks.cpu_s(99 * LOOK_S / 2 + 0.02) == 99 * LOOK_S / 2 + 0.02


def test_children_that_the_kernel_counted_are_not_guessed_at_beside_it() -> None:
    tasks = TaskTimes(0.0, 2)
    for look in range(1, 41):
        tasks.count(look * LOOK_S, {str(look): (1_000_000, 0)}, lambda _task, _displaced: 1.0)
    assert tasks.sure_s > 0.8, "by chance alone they ran for longer"
    assert tasks.cpu_s(0.5) == 0.5


def test_every_side_gives_up_at_the_same_time() -> None:
    """Launcher, zygote and judge: after a hundred times the wall limit, however busy the machine is."""
    sources = [Path(protocol.__file__).with_name(name) for name in ("protocol.py", "zygote.py", "launcher.c")]
    found = [re.findall(r"MAX_WALL_STRETCH = (\d+)", source.read_text(encoding="utf-8")) for source in sources]
    assert found == [["100"]] * 3
