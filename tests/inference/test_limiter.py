"""The adaptive limit: what grows it, what shrinks it, and what does neither."""

import json

import pytest

from app.domain.asking.completions import EndpointSpec
from workers.inference.limiter import EndpointPace, Paces, RequestHour


def a_round(pace: EndpointPace) -> None:
    for _ in range(int(pace.limit)):
        pace.record_answer()


def settled(ceiling: int = 1000, limit: float = 100.0) -> EndpointPace:
    """A pace past its first 429, at a limit of our choice, long after its cooldown."""
    pace = EndpointPace(ceiling)
    pace.record_rate_limit(0.0, 1.0, asked=True)
    for _ in range(10):
        pace.record_answer()
    pace.limit = limit
    return pace


def test_it_starts_at_half_of_what_may_fail_or_the_ceiling() -> None:
    assert EndpointPace(64).limit == 32
    assert EndpointPace(3).limit == 3


def test_it_doubles_each_round_until_the_ceiling() -> None:
    pace = EndpointPace(100)
    seen = []
    for _ in range(4):
        a_round(pace)
        seen.append(pace.limit)
    assert seen == [64, 100, 100, 100]


def test_the_first_429_shrinks_by_a_fifth_and_ends_doubling() -> None:
    pace = EndpointPace(100)
    pace.record_rate_limit(0.0, 1.0, asked=True)
    assert pace.limit == pytest.approx(25.6)
    for _ in range(5):
        pace.record_answer()  # the failure delayed growth
    assert pace.limit == pytest.approx(25.6)
    a_round(pace)
    assert pace.limit == pytest.approx(25.6 + 25 * 0.05)


def test_one_episode_shrinks_once() -> None:
    pace = EndpointPace(100)
    for _ in range(15):
        pace.record_rate_limit(1.0, 1.0, asked=True)
    assert pace.limit == pytest.approx(25.6)
    pace.record_rate_limit(15.9, 1.0, asked=True)
    assert pace.limit == pytest.approx(25.6)
    pace.record_rate_limit(16.1, 1.0, asked=True)
    assert pace.limit == pytest.approx(20.48)


def test_a_longer_retry_after_lengthens_the_cooldown() -> None:
    pace = EndpointPace(100)
    for now in (0.0, 20.0, 59.0):
        for _ in range(10):
            pace.record_rate_limit(now, 60.0, asked=True)
        assert pace.limit == pytest.approx(25.6)
    pace.record_rate_limit(60.5, 60.0, asked=True)
    assert pace.limit == pytest.approx(20.48)


def test_a_stray_429_is_no_episode() -> None:
    pace = settled()
    pace.record_rate_limit(100.0, 1.0, asked=True)
    assert pace.limit == 100
    for _ in range(25):
        pace.record_rate_limit(101.0, 1.0, asked=True)
    assert pace.limit == 80


def test_server_errors_only_delay_growth() -> None:
    pace = settled()
    for _ in range(4):
        pace.record_failure(100.0)
        pace.record_answer()
    assert pace.limit == 100
    for _ in range(16):
        pace.record_answer()
    assert pace.limit == 100
    a_round(pace)
    assert pace.limit == pytest.approx(105)


@pytest.mark.parametrize("refused", [True, False])
def test_an_endpoint_that_only_fails_is_left_alone_for_longer_and_longer(refused: bool) -> None:
    """Once it is closed one request at a time finds out whether it is well again."""
    pace, at, waits = EndpointPace(100), 0.0, []
    for _ in range(2):
        pace.record_failure(0.0)
    for _ in range(10):
        pace.record_rate_limit(at, 0.0, asked=True) if refused else pace.record_failure(at)
        assert not pace.has_room(0, pace.opens_at - 0.01)
        assert pace.has_room(0, pace.opens_at)
        assert not pace.has_room(1, pace.opens_at)
        waits.append(pace.opens_at - at)
        at = pace.opens_at
    assert waits == [1, 2, 4, 8, 16, 32, 64, 120, 120, 120]
    pace.record_answer()
    assert pace.has_room(3, at)


def test_failures_of_requests_that_were_under_way_do_not_lengthen_the_wait() -> None:
    pace = EndpointPace(100)
    for _ in range(20):
        pace.record_failure(5.0)
    assert pace.opens_at == 6.0


@pytest.mark.parametrize("answers", [0, 100, 1000])
def test_more_than_the_answers_deserve_is_not_sent_within_an_hour(answers: int) -> None:
    """What was answered before the first of them gives no more of it: an hour begins after that, too."""
    hour, start, spare = RequestHour(), 1_000_020.0, 64
    hour.count(start, sent=answers, answered=answers)
    for number in range(spare):
        moment = start + 10.0 * number
        assert hour.allows(moment), number
        hour.count(moment, sent=1)
    assert not hour.allows(start + 3599)
    assert not hour.allows(start + 10.0 * spare)
    ready = hour.ready_at(start + 3599)
    assert not hour.allows(ready - 0.01)
    assert start + 3600 <= ready <= start + 3660
    assert hour.allows(ready)


def test_what_is_under_way_counts_as_sent_but_for_an_endpoint_of_our_own() -> None:
    for trusted, room in ((False, 64), (True, 256)):
        pace = EndpointPace(256, trusted=trusted)
        pace.limit = 256.0
        sent = 0
        while pace.has_room(sent, 0.0):
            pace.hour.count(0.0, sent=1)
            sent += 1
        assert sent == room


def test_what_was_learned_survives_being_written_down() -> None:
    pace, other = settled(), EndpointPace(50)
    pace.hour.count(60.0, sent=5, answered=3)
    for _ in range(3):
        pace.record_failure(1000.0)
    other.learn(json.loads(json.dumps(pace.state())))
    assert other.limit == 50
    assert (other.opens_at, other.refusing, other.hour) == (1001.0, True, pace.hour)
    assert other.state() == pace.state() | {"limit": 50.0}


def test_it_never_falls_below_its_floor_or_the_ceiling() -> None:
    for ceiling, floor in ((100, 4), (2, 2)):
        pace = EndpointPace(ceiling)
        for hour in range(100):
            for _ in range(20):
                pace.record_rate_limit(hour * 3600.0, 1.0, asked=False)
        assert pace.limit == floor


def test_a_lone_429_closes_nothing_and_three_in_a_row_close_the_endpoint() -> None:
    pace = EndpointPace(100)
    pace.record_rate_limit(0.0, 5.0, asked=True)
    assert pace.has_room(0, 0.0)
    pace.record_answer()
    pace.record_rate_limit(1.0, 5.0, asked=True)
    pace.record_rate_limit(1.0, 5.0, asked=True)
    assert pace.has_room(0, 1.0)
    pace.record_rate_limit(1.0, 5.0, asked=True)
    assert not pace.has_room(0, 5.9)
    assert pace.has_room(0, 6.0)


def test_a_single_lane_is_closed_by_its_first_429() -> None:
    pace = EndpointPace(1)
    pace.record_rate_limit(0.0, 2.0, asked=True)
    assert not pace.has_room(0, 1.9)


def test_there_is_room_below_the_limit_only() -> None:
    pace = EndpointPace(3)
    assert pace.has_room(2, 0.0)
    assert not pace.has_room(3, 0.0)


def test_paces_are_kept_per_endpoint_and_key_and_follow_the_ceiling() -> None:
    paces = Paces()

    def spec(number: int, secret: str, ceiling: int = 64) -> EndpointSpec:
        return EndpointSpec(number, "openai_chat", "https://example.org/v1", "m", secret, ceiling)

    first = paces.of(spec(1, "a"))
    a_round(first)
    assert paces.of(spec(1, "a")) is first
    assert paces.of(spec(1, "b")) is not first
    assert paces.of(spec(2, "a")) is not first
    assert paces.of(spec(1, "a", ceiling=5)).limit == 5
