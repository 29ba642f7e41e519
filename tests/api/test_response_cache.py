"""Answers made once for many: who waits, who gets the last one, and what is kept."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar

import httpx
import pytest
from support.orders import site_of

from app.db.kernel import revision
from app.domain.errors import RateLimited
from app.response_cache import (
    CROWD_READERS,
    CROWD_S,
    MAX_AGE_S,
    MAX_STORED_BYTES,
    BuildQueue,
    ResponseCache,
    ResponseRequest,
    ServedResponse,
)
from workers.context import Context

R = TypeVar("R")


class Maker:
    """Makes numbered answers when told to, and counts them; `state` is what they are made from."""

    def __init__(self, max_bytes: int = MAX_STORED_BYTES, clock: Callable[[], float] = time.monotonic) -> None:
        self.made = 0
        self.state: Hashable = 1
        self.gate = asyncio.Event()
        self.gate.set()
        self.size = 1
        self.cache = ResponseCache[int](self.read_state, max_bytes=max_bytes, clock=clock)
        self.cache.patience_s = 60.0

    async def read_state(self) -> Hashable:
        await asyncio.sleep(0)
        return self.state

    async def make(self) -> tuple[int, int]:
        self.made += 1
        number = self.made
        await self.gate.wait()
        if self.size < 0:
            raise ZeroDivisionError
        return number, self.size

    def ask(
        self, question: Hashable = "q", *, by_state: bool = False, newest: bool = False, visitor: str | None = None
    ) -> "asyncio.Task[ServedResponse[int]]":
        asked = ResponseRequest(question, self.make, by_state, newest, visitor)
        return asyncio.create_task(self.cache.get(asked))


def within(
    work: Callable[[Maker], Awaitable[R]],
    max_bytes: int = MAX_STORED_BYTES,
    clock: Callable[[], float] = time.monotonic,
) -> R:
    """What a piece of work returns, which must not take for ever."""

    async def bounded() -> R:
        async with asyncio.timeout(20):
            return await work(Maker(max_bytes, clock))

    return asyncio.run(bounded())


async def pause() -> None:
    """Let everything that can go on go on."""
    for _ in range(20):
        await asyncio.sleep(0)


class Clock:
    """The seconds that answers go by."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 1e-6  # no two moments are one
        return self.now


def test_all_who_ask_the_same_wait_for_one_making() -> None:
    async def work(maker: Maker) -> tuple[set[int], int]:
        given = await asyncio.gather(*(maker.ask() for _ in range(200)))
        return {each.value for each in given}, maker.made

    assert within(work) == ({1}, 1)


def test_an_answer_that_was_begun_before_is_not_the_newest() -> None:
    async def work(maker: Maker) -> list[ServedResponse[int]]:
        maker.gate.clear()
        first = maker.ask()
        await pause()
        second = maker.ask()
        await pause()
        maker.gate.set()
        return [await first, await second, await maker.ask()]

    assert within(work) == [ServedResponse(1), ServedResponse(2), ServedResponse(3)]


def test_readers_who_come_at_any_moment_all_get_an_answer_that_is_new_for_them() -> None:
    async def work(maker: Maker) -> int:
        async def reader(number: int) -> None:
            for step in range(20):
                for _ in range((number * 7 + step * 3) % 5):
                    await asyncio.sleep(0)
                made = maker.made
                given = await maker.ask(newest=True)
                assert given.age_s is None
                assert given.value > made or not maker.gate.is_set()

        await asyncio.gather(*(reader(number) for number in range(30)))
        return maker.made

    assert within(work) <= 2 * 30 * 20


def test_an_answer_of_the_same_state_is_not_made_again() -> None:
    async def work(maker: Maker) -> list[ServedResponse[int]]:
        given = [await maker.ask(by_state=True), await maker.ask(by_state=True)]
        maker.state = 2
        given += [await maker.ask(by_state=True), await maker.ask(by_state=True, newest=True)]
        maker.state = None  # it cannot be known
        return [*given, await maker.ask(by_state=True), await maker.ask(by_state=True)]

    assert [given.value for given in within(work)] == [1, 1, 2, 2, 3, 4]


async def crowd(maker: Maker) -> list["asyncio.Task[ServedResponse[int]]"]:
    """As many readers as make a crowd, who wait for an answer that is not made yet."""
    waiting = [maker.ask("crowd", newest=True) for _ in range(CROWD_READERS)]
    await pause()
    return waiting


def test_in_a_crowd_the_last_answer_is_given_with_its_age_while_the_next_is_made() -> None:
    clock = Clock()

    async def work(maker: Maker) -> None:
        assert await maker.ask() == ServedResponse(1)
        clock.now += 3
        maker.gate.clear()
        alone = maker.ask()
        await pause()
        assert not alone.done(), "few wait for the newest"
        await crowd(maker)
        last = [await maker.ask() for _ in range(50)]
        assert {given.value for given in [*last, await alone]} == {1}
        assert all(given.age_s == pytest.approx(3, abs=0.1) for given in last)
        exact = maker.ask(newest=True)
        await pause()
        assert not exact.done(), "who asks for the newest waits"
        assert maker.made == 3, "one for the crowd, one for all others"
        maker.gate.set()
        assert (await exact).age_s is None
        clock.now += CROWD_S
        assert (await maker.ask()).age_s is None, "the crowd is gone"

    within(work, clock=clock)


def test_in_a_crowd_an_answer_of_the_present_state_has_no_age() -> None:
    clock = Clock()

    async def work(maker: Maker) -> None:
        await maker.ask(by_state=True)
        maker.gate.clear()
        await crowd(maker)
        clock.now += 0.5
        assert await maker.ask(by_state=True) == ServedResponse(1)
        maker.state = 2
        clock.now += 0.5
        await maker.ask(by_state=True)  # has the state read
        await pause()
        given = await maker.ask(by_state=True)
        assert given.value == 1
        assert given.age_s == pytest.approx(1, abs=0.1)
        assert maker.made == 3, "the crowd's, the first, and the next one"
        maker.gate.set()
        await pause()
        assert await maker.ask(by_state=True) == ServedResponse(3)

    within(work, clock=clock)


def test_in_a_crowd_what_takes_long_is_made_again_before_it_is_too_old() -> None:
    clock = Clock()

    async def work(maker: Maker) -> None:
        maker.gate.clear()
        first = maker.ask()
        await pause()
        clock.now += 20  # it takes so long
        maker.gate.set()
        await first
        maker.gate.clear()
        await crowd(maker)
        await maker.ask()
        await pause()
        assert maker.cache.building == 2, "the crowd's, and the next one, of an answer that is twenty seconds old"
        maker.gate.set()

    within(work, clock=clock)


def test_an_answer_that_is_too_old_is_given_to_nobody() -> None:
    clock = Clock()

    async def work(maker: Maker) -> None:
        await maker.ask()
        maker.gate.clear()
        clock.now += MAX_AGE_S + 1
        maker.cache.patience_s = 0.0
        alone = maker.ask()
        await crowd(maker)
        crowded = maker.ask()
        await pause()
        assert not alone.done()
        assert not crowded.done()
        maker.gate.set()
        assert [(await each).age_s for each in (alone, crowded)] == [None, None]

    within(work, clock=clock)


def test_a_reader_alone_waits_for_the_newest_only_so_long() -> None:
    async def work(maker: Maker) -> None:
        await maker.ask()
        maker.gate.clear()
        maker.cache.patience_s = 0.01
        given = await maker.ask()
        assert given.value == 1
        assert given.age_s is not None
        maker.gate.set()
        await pause()
        assert (await maker.ask()).value >= 2

    within(work)


def test_a_failure_is_told_to_all_who_wait_and_kept_for_nobody() -> None:
    async def work(maker: Maker) -> None:
        maker.size = -1
        failed = await asyncio.gather(*(maker.ask() for _ in range(10)), return_exceptions=True)
        assert {type(each) for each in failed} == {ZeroDivisionError}
        maker.size = 0
        assert await maker.ask() == ServedResponse(2)
        maker.cache.patience_s = 0.0
        assert await maker.ask() == ServedResponse(3), "what is not kept is not given again"

    within(work)


def test_what_is_kept_is_bounded_and_what_was_asked_for_last_stays() -> None:
    async def work(maker: Maker) -> list[int]:
        for question in ("a", "b", "c", "a", "d"):
            await maker.ask(question, by_state=True)
        return [(await maker.ask(question, by_state=True)).value for question in ("a", "c", "d", "b")]

    assert within(work, max_bytes=3) == [1, 3, 4, 5]


def test_visitors_take_turns_and_none_may_have_the_whole_queue() -> None:
    async def work(_maker: Maker) -> list[str]:
        queue, order = BuildQueue(1, most=3), list[str]()

        async def take(name: str, visitor: str | None) -> None:
            async with queue.seat(visitor):
                await asyncio.sleep(0)
                order.append(name)

        names = [("a1", "a"), ("a2", "a"), ("a3", "a"), ("a4", "a"), ("b1", "b"), ("n1", None), ("b2", "b")]
        tasks = [asyncio.create_task(take(*name)) for name in names]
        await asyncio.sleep(0)
        with pytest.raises(RateLimited, match="3 requests from your address"):
            queue.check("a")
        queue.check("b")
        await asyncio.gather(*tasks)
        return order

    assert within(work) == ["a1", "a2", "b1", "n1", "a3", "b2", "a4"]


def test_two_hundred_readers_at_once_all_get_the_board(ctx: Context) -> None:
    app = site_of(ctx)

    async def ask() -> list[httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://site", timeout=60) as site:
            await site.get("/en/")
            with ctx.sessions.begin() as session:
                revision.next_revision(session)
            crowd = [*await asyncio.gather(*(site.get("/en/") for _ in range(200)))]
            assert "age" not in (await site.get("/en/", headers={"Cache-Control": "no-cache"})).headers
            return crowd

    answers = asyncio.run(ask())
    assert {each.status_code for each in answers} == {200}
    assert any("age" in each.headers for each in answers), "most are not kept waiting"
