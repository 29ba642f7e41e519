"""A league with a year of contests, prices and several answers a problem, for what pages draw."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from factories import World

from app.domain.judging.verdicts import Verdict

FIRST, CONTESTS = date(2025, 12, 1), 24
FAILED = (Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT, Verdict.RUNTIME_ERROR, Verdict.NO_ANSWER)


def fill_league(world: World) -> None:
    """Five models on two problems a fortnight: one exposed in spring, one without a price, one in two configurations.

    Every third contest is at midnight, and one problem of each is the harder one.
    """
    problems = []
    for contest in range(CONTESTS):
        day = FIRST + timedelta(weeks=2 * contest)
        for place in range(2):
            made = world.problem(f"c{contest}-{place}", day=day, contest=f"Round {contest}", level=1 + 2 * place)
            if contest % 3 == 0:
                made.released_on = datetime(day.year, day.month, day.day, tzinfo=UTC)
            problems.append(made)
    world.session.flush()
    rows: tuple[tuple[str, dict[str, str], date | None, str | None, int], ...] = (
        ("swift", {}, date(2025, 11, 1), "0.0004", 3),
        ("heron", {"effort": "low"}, date(2025, 11, 20), "0.004", 2),
        ("heron", {"effort": "high"}, None, "0.03", 8),
        ("tern", {}, date(2026, 4, 10), "0.002", 5),
        ("knot", {}, date(2025, 10, 5), None, 4),
    )
    models = {slug: world.model(slug, cutoff_on=cutoff) for slug, _, cutoff, _, _ in rows if cutoff is not None}
    for number, (slug, configuration, _, cost, skill) in enumerate(rows):
        run = world.run(models[slug], configuration=configuration)
        for place, problem in enumerate(problems):
            passed = (7 * place + 3 * number) % 10 < skill
            verdict = Verdict.ACCEPTED if passed else FAILED[(place + number) % 4]
            world.answer(run, problem, verdict, cost_usd=None if cost is None else Decimal(cost))
    world.count()
