"""Boards at once: as many as there are seats, the others in the order they came."""

import threading
from collections import Counter
from pathlib import Path

import pytest

from app.services.boards.cubes import MAX_CACHED_RESULTS, CubeStore
from app.services.boards.fair_semaphore import FairSemaphore

WAIT_S = 60.0


def test_no_more_than_the_seats_are_taken_and_the_line_keeps_its_order() -> None:
    turns, seats = FairSemaphore(2), Counter[str]()
    inside, served, lock = 0, list[int](), threading.Lock()
    go, started = threading.Event(), threading.Semaphore(0)

    def first() -> None:
        with turns.slot():
            started.release()
            assert go.wait(WAIT_S)

    def later(number: int) -> None:
        nonlocal inside
        with turns.slot():
            with lock:
                inside += 1
                served.append(number)
                seats["most"] = max(seats["most"], inside)
            with lock:
                inside -= 1

    holders = [threading.Thread(target=first) for _ in range(2)]
    for holder in holders:
        holder.start()
        assert started.acquire(timeout=WAIT_S)
    waiting = [threading.Thread(target=later, args=(number,)) for number in range(6)]
    for number, thread in enumerate(waiting, start=1):
        thread.start()
        while turns.waiting < number:
            threading.Event().wait(0.001)
    assert served == []
    go.set()
    for thread in (*holders, *waiting):
        thread.join(WAIT_S)
    assert sorted(served) == list(range(6))
    assert seats["most"] <= 2
    assert turns.waiting == 0


def test_a_line_of_one_seat_is_served_in_its_order() -> None:
    turns, served = FairSemaphore(1), list[int]()

    def take(number: int) -> None:
        with turns.slot():
            served.append(number)

    with turns.slot():
        threads = []
        for number in range(5):
            threads.append(threading.Thread(target=take, args=(number,)))
            threads[-1].start()
            while turns.waiting <= number:
                threading.Event().wait(0.001)
    for thread in threads:
        thread.join(WAIT_S)
    assert served == [0, 1, 2, 3, 4]


def test_a_seat_is_given_back_by_a_board_that_fails() -> None:
    turns = FairSemaphore(1)
    with pytest.raises(ZeroDivisionError), turns.slot():
        raise ZeroDivisionError
    with turns.slot():
        assert turns.waiting == 0


def test_a_question_that_is_asked_again_is_answered_once_while_it_is_among_the_last(tmp_path: Path) -> None:
    store, made = CubeStore(tmp_path), list[int]()

    def answer(number: int) -> int:
        return store.compute_once(number, lambda: made.append(number) or len(made))  # type: ignore[func-returns-value]

    assert [answer(number) for number in (1, 2, 1)] == [1, 2, 1]
    for number in range(3, MAX_CACHED_RESULTS + 2):
        answer(number)
    assert (answer(1), answer(2)) == (1, MAX_CACHED_RESULTS + 2), "what nobody asked for again was forgotten"
    with pytest.raises(ZeroDivisionError):
        store.compute_once(0, lambda: 1 // 0)
    assert answer(0) == len(made), "a failure is no answer"
