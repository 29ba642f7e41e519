"""A promised end moves forward at once, and back only beyond some slack and with its reason."""

from datetime import UTC, datetime, timedelta

from app.domain.asking.promises import OrderPace, Promise, next_promise

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def pace(waiting: int = 600, rate: float | None = 1.0, retried: int = 0) -> OrderPace:
    return OrderPace(waiting, 0, retried, rate, None)


def promised() -> Promise:
    promise = next_promise(None, pace(), NOW)
    assert promise is not None
    assert promise.at == NOW + 10 * MINUTE
    return promise


def test_nothing_is_promised_before_the_speed_is_known() -> None:
    assert next_promise(None, pace(rate=None), NOW) is None


def test_an_earlier_end_is_promised_at_once() -> None:
    sooner = next_promise(promised(), pace(rate=2.0), NOW)
    assert sooner is not None
    assert (sooner.at, sooner.reason) == (NOW + 5 * MINUTE, None)


def test_a_slightly_later_end_keeps_the_promise() -> None:
    assert next_promise(promised(), pace(waiting=610), NOW) == promised()


def test_a_later_end_has_its_reason() -> None:
    for now_left, reason in (
        (pace(waiting=1200), "600 more samples are to be answered and judged than promised last"),
        (pace(rate=0.5, retried=7), "7 samples are asked again, since their requests failed"),
        (pace(rate=0.5), "answers and verdicts come more slowly: 30 a minute, 60 before"),
    ):
        later = next_promise(promised(), now_left, NOW)
        assert later is not None
        assert (later.at, later.reason) == (NOW + 20 * MINUTE, reason)
        assert Promise.from_json(later.to_json()) == later


def test_silence_is_said_and_a_time_that_has_passed_is_not_kept() -> None:
    silent = next_promise(promised(), pace(rate=None), NOW + MINUTE)
    assert silent is not None
    assert (silent.at, silent.reason) == (promised().at, "no answer or verdict came in the last 10 minutes")
    later = next_promise(silent, pace(rate=None), NOW + 11 * MINUTE)
    assert later is not None
    assert later.at > NOW + 11 * MINUTE


def test_a_promise_never_rises_without_a_reason() -> None:
    promise: Promise | None = None
    for minute, (left, rate) in enumerate([(600, 1.0), (700, 1.0), (700, 0.9), (650, 0.4), (650, None), (600, 2.0)]):
        before, promise = promise, next_promise(promise, pace(left, rate), NOW + minute * MINUTE)
        assert promise is not None
        assert before is None or promise.at <= before.at or promise.reason is not None
