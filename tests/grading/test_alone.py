"""Trials of one host: beside each other, or one alone."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from support.waiting import until

from workers.grading.host_lock import Host, HostLock


def test_one_that_is_alone_waits_for_the_others_and_keeps_the_next_out(tmp_path: Path) -> None:
    seen: list[str] = []
    leave = threading.Event()

    def stays() -> None:
        with HostLock.acquire_shared(tmp_path):
            seen.append("beside")
            assert leave.wait(60)
            seen.append("left")

    def wants_it_alone() -> None:
        with HostLock.acquire_shared(tmp_path) as turn:
            seen.append("in doubt")
            with turn.exclusive():
                seen.append("alone")
                newcomer.start()
                newcomer.join(0.2)
                seen.append("alone still")

    def comes_late() -> None:
        with HostLock.acquire_shared(tmp_path):
            seen.append("late")

    first, second, newcomer = (threading.Thread(target=work) for work in (stays, wants_it_alone, comes_late))
    first.start()
    until(lambda: "beside" in seen, "the first trial")
    second.start()
    until(lambda: "in doubt" in seen, "the second trial, beside the first")
    second.join(0.2)
    assert "alone" not in seen
    leave.set()
    for thread in (first, second, newcomer):
        thread.join(60)
    assert seen == ["beside", "in doubt", "left", "alone", "alone still", "late"]


def test_nobody_new_comes_in_while_one_waits_to_be_alone(tmp_path: Path) -> None:
    seen: list[str] = []

    def wants_it_alone() -> None:
        with HostLock.acquire_shared(tmp_path) as turn:
            seen.append("in doubt")
            with turn.exclusive():
                seen.append("alone")

    def comes_late() -> None:
        with HostLock.acquire_shared(tmp_path):
            seen.append("late")

    waiting, late = threading.Thread(target=wants_it_alone), threading.Thread(target=comes_late)
    with HostLock.acquire_shared(tmp_path):
        waiting.start()
        until(lambda: "in doubt" in seen, "the second trial, beside the first")
        waiting.join(0.2)
        late.start()
        late.join(0.2)
    for thread in (waiting, late):
        thread.join(60)
    assert seen == ["in doubt", "alone", "late"]


def test_who_was_alone_is_beside_the_others_again_and_waits_for_them_again(tmp_path: Path) -> None:
    seen: list[str] = []

    def wants_it_alone() -> None:
        with HostLock.acquire_shared(tmp_path) as other, other.exclusive():
            seen.append("other alone")

    def comes() -> None:
        with HostLock.acquire_shared(tmp_path):
            seen.append("beside")

    thread, beside = threading.Thread(target=wants_it_alone), threading.Thread(target=comes)
    with HostLock.acquire_shared(tmp_path) as turn:
        with turn.exclusive():
            pass
        beside.start()
        beside.join(20)
        assert seen == ["beside"]
        seen.clear()
        thread.start()
        thread.join(0.2)
        assert seen == []
        with turn.exclusive():
            assert seen == ["other alone"]
    thread.join(60)


def test_who_is_alone_stays_so_when_it_asks_for_that_once_more(tmp_path: Path) -> None:
    seen: list[str] = []

    def comes_late() -> None:
        with HostLock.acquire_shared(tmp_path):
            seen.append("late")

    late = threading.Thread(target=comes_late)
    with HostLock.acquire_shared(tmp_path) as turn, turn.exclusive():
        with turn.exclusive():
            pass
        late.start()
        late.join(0.2)
        assert seen == []
    late.join(60)
    assert seen == ["late"]


def test_two_that_want_it_alone_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []
    both = threading.Barrier(2)

    def wants_it_alone() -> None:
        with HostLock.acquire_shared(tmp_path) as turn:
            both.wait(60)
            with turn.exclusive():
                inside.append(1)
                assert sum(inside) == 1
                inside.append(-1)

    threads = [threading.Thread(target=wants_it_alone) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert inside == [1, -1, 1, -1]


def test_what_is_tried_again_begins_afresh_and_alone() -> None:
    """Nothing of the first attempt is left in its sandbox, and nobody judges meanwhile."""
    seen: list[str] = []

    @contextlib.contextmanager
    def alone() -> Iterator[None]:
        seen.append("alone")
        yield
        seen.append("beside")

    host = Host(exclusive=alone)
    assert len(host.try_with_retry(lambda: seen.append("tried"), lambda _: True, lambda: seen.append("afresh"))) == 2
    assert seen == ["tried", "alone", "afresh", "tried", "beside"]
    seen.clear()
    assert len(host.try_with_retry(lambda: seen.append("tried"), lambda _: False, lambda: seen.append("afresh"))) == 1
    assert seen == ["tried"]
