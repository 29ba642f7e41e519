"""The small league that pages show in a real Chromium."""

from datetime import date, timedelta
from typing import Any

from factories import World

from app.db.tables import Contest, ExpectedDataRow, TestRow
from app.domain.asking.protocols import LCB
from app.domain.judging.verdicts import Verdict
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.states import ContestState, ProblemState, RunOrigin

VERDICTS = (Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT, Verdict.NO_ANSWER)
STATEMENT = """Given $N$ numbers, find $\\frac{a_1 + a_2}{N^{2}}$, or \\$5. See [the page](https://example.org/).

$$\\sum_{i=1}^{N} a_i + b_i + c_i + d_i + e_i + f_i + g_i + h_i + a_i b_i c_i d_i e_i f_i g_i h_i + 10000000000$$

## Constraints

- $1 \\le N \\le 2 \\cdot 10^{5}$
- $\\frobnicate{x}$ is `$5`

#### Input

```
N
a_1 a_2 a_3 a_4 a_5 a_6 a_7 a_8 a_9 a_10 a_11 a_12 a_13 a_14 a_15 a_16 a_17 a_18 a_19 a_20 a_21 a_22 a_23 a_24
```

| a column | another column | a third column | a fourth column | a fifth column | a sixth column |
| --- | --- | --- | --- | --- | --- |
| $x$ | 2 | 3 | 4 | 5 | 6 |

![a ship](https://example.org/ship.png)

<script>document.title = "taken"</script>
"""
STATED: dict[str, Any] = {"statement": STATEMENT, "tags": ["dp", "*special"], "topics": ["dynamic-programming"]}


def fill(world: World) -> None:
    """Rows of every kind: ranked, exposed, provisional, imported; a held problem; workers."""
    problems = [
        world.problem(
            f"p{n}", day=date(2026, 2, 2) + timedelta(weeks=n), contest=f"c{n // 2}", level=1 + n % 3,
            **(STATED if n == 1 else {}),
        )
        for n in range(24)
    ]  # fmt: skip
    cutoffs = (date(2026, 1, 1), date(2026, 1, 10), date(2026, 4, 1), None)
    for number, cutoff in enumerate(cutoffs):
        run = world.run(f"model-{number}", cutoff_on=cutoff, demo=True, configuration={"effort": "high"})
        for n, problem in enumerate(problems[: 20 if number == 3 else 24]):
            world.answer(run, problem, VERDICTS[(n * (number + 1)) % 5])
    anchor = world.run("anchor", protocol=LCB, origin=RunOrigin.IMPORTED, provenance={"file": "board.json"})
    for n in range(10):
        world.imported(anchor, world.catalogued(f"abc{n}", day=date(2025, 1, 1 + n), source="atcoder"), 10, n)
    late = Contest(
        source_id=world.source("atcoder").id, external_id="late1", title="Late 1", state=ContestState.ENDED,
        starts_at=world.now - timedelta(hours=8), ends_at=world.now - timedelta(hours=6),
    )  # fmt: skip
    world.session.add(late)
    world.session.flush()
    moment = world.now - timedelta(hours=1)
    world.session.add(ExpectedDataRow(contest_id=late.id, purpose="problems", due_at=moment, late_at=moment))
    world.problem("held1", source="atcoder", state=ProblemState.HELD, hold_reason=NO_STATEMENT)
    wide = TestRow(
        test_set_id=problems[0].current_test_set_id, ordinal=900, input="9 " * 400, expected="1", visible=False
    )
    world.session.add(wide)
    world.workers()
    world.count()
