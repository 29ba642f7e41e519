"""Whatever an endpoint does, no hour holds more than 1.15 requests for each of its answers and 64."""

import heapq
import json
import random
from bisect import bisect_left

from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from workers.inference.limiter import EndpointPace

HOUR_S = 3600.0
END_S = 3 * HOUR_S


class Play:
    """An endpoint by phases of (seconds, share that it answers, seconds of a call), asked all that its pace allows."""

    def __init__(self, phases: list[tuple[float, float, float]], ceiling: int, seed: int, most: int = 20_000) -> None:
        self.sent, self.answered = list[float](), list[float]()
        rng, pace, now = random.Random(seed), EndpointPace(ceiling), 1_000_000.0
        phase_ends, flying, begin = list[float](), list[tuple[float, bool]](), now
        for seconds, _, _ in phases:
            phase_ends.append((phase_ends[-1] if phase_ends else begin) + seconds)
        while now < begin + END_S and len(self.sent) < most:
            _, share, latency_s = phases[min(bisect_left(phase_ends, now), len(phases) - 1)]
            while pace.has_room(len(flying), now):
                pace.hour.count(now, sent=1)
                self.sent.append(now)
                heapq.heappush(flying, (now + latency_s * rng.uniform(0.8, 1.2), rng.random() < share))
            # Most ends come together, as those do that a busy process reads.
            moment = flying[0][0] if flying else max(now + 1.0, pace.ready_at(now))
            now = max(moment, now + 0.02)
            while flying and flying[0][0] <= now:
                _, good = heapq.heappop(flying)
                if good:
                    self.answered.append(now)
                    pace.hour.count(now, answered=1)
                    pace.record_answer()
                elif rng.random() < 0.5:
                    pace.record_failure(now, rng.uniform(0, 2))
                else:
                    pace.record_rate_limit(now, rng.uniform(0, 2), asked=False)
            if rng.random() < 0.01:  # another worker goes on
                other = EndpointPace(ceiling)
                other.learn(json.loads(json.dumps(pace.state())))
                pace = other

    def worst(self) -> float:
        """The most that any hour holds beyond 1.15 requests for each answer in it."""
        hours = [(moment, moment + HOUR_S) for moment in self.sent]
        return max(
            (bisect_left(self.sent, end) - bisect_left(self.sent, start))
            - 1.15 * (bisect_left(self.answered, end) - bisect_left(self.answered, start))
            for start, end in hours
        )


PHASE = st.tuples(st.floats(30, 3600), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), st.sampled_from([0.1, 1.0, 20.0]))


@settings(max_examples=examples(60))
@given(st.lists(PHASE, min_size=1, max_size=6), st.sampled_from([1, 8, 64, 256]), st.integers(0, 1000))
def test_no_hour_holds_more_than_its_answers_account_for(
    phases: list[tuple[float, float, float]], ceiling: int, seed: int
) -> None:
    assert Play(phases, ceiling, seed, most=4000).worst() <= 64 + 1e-6


def test_a_bad_hour_after_a_good_one_is_bounded_like_any_other() -> None:
    for play in (
        Play([(1800.0, 1.0, 1.0), (HOUR_S * 2, 0.4, 0.2)], 64, 1),
        Play([(600.0, 1.0, 20.0), (HOUR_S * 2, 0.5, 1.0)], 64, 1),
    ):
        assert len(play.answered) > 1000
        assert play.worst() <= 64 + 1e-6


def test_an_endpoint_that_answers_is_asked_all_that_it_takes_at_once() -> None:
    play = Play([(60.0, 1.0, 0.2)], 256, 2)
    assert len(play.sent) >= 20_000
    in_its_last_second = [moment for moment in play.sent if moment > play.sent[-1] - 1.0]
    assert len(in_its_last_second) > 0.9 * 256 / 0.2, "after a few rounds there are 256 under way"
