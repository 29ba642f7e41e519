"""Small worlds for tests: rows of the real tables, with everything a test does not name filled in.

world = World(session)
problem = world.problem("p1", day=date(2026, 3, 1), level=1)
run = world.run("orion", cutoff_on=date(2025, 12, 1))
world.answer(run, problem, Verdict.ACCEPTED)
world.count()
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI
from pydantic import SecretStr

from app.config import Settings
from app.db.kernel import revision
from app.db.kernel.session import Session, SessionMaker
from app.db.operations import heartbeats
from app.db.problems import texts
from app.db.runs.runs import configuration_key, ensure_protocol
from app.db.tables import (
    Contest,
    Difficulty,
    ImportedResult,
    Model,
    Problem,
    ProblemVersion,
    Run,
    Sample,
    Source,
    TestRow,
    TestSet,
    VerdictRow,
)
from app.db.tables.base import Base
from app.domain.asking.protocols import HOUSE, PRIVATE_SOURCE, Protocol
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, TestsOrigin
from app.domain.publishing.origins import Origin
from app.domain.publishing.wording import wording
from app.domain.sources.kinds import SourceKind
from app.domain.states import ContestState, ProblemState, RunOrigin, RunState, SampleState
from app.main import create_app
from app.services.runs import cell_updates
from app.services.runs.endpoint_secrets import new_key

R = TypeVar("R", bound=Base)
NOW = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
PROGRAM = "print(sum(map(int, input().split())))"
REGISTERED = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass
class World:
    """Makes rows in one session; the caller commits."""

    session: Session
    protocol: Protocol = HOUSE
    now: datetime = NOW
    _sources: dict[str, Source] = field(default_factory=dict)
    _contests: dict[tuple[str, str], Contest] = field(default_factory=dict)
    _made: int = 0

    def source(self, slug: str = "house", *, demo: bool | None = None, show: bool = True) -> Source:
        """A source, made on first use."""
        if slug not in self._sources:
            self._sources[slug] = self._add(
                Source(
                    slug=slug,
                    name=slug.capitalize(),
                    kind=SourceKind.SUITE if slug in ("house", PRIVATE_SOURCE) else SourceKind.SITE,
                    show_statements=show,
                    demo=slug == "house" if demo is None else demo,
                )
            )
        return self._sources[slug]

    def contest(self, source: Source, name: str, day: date) -> Contest:
        """A contest, made on first use."""
        key = (source.slug, name)
        if key not in self._contests:
            starts = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
            self._contests[key] = self._add(
                Contest(
                    source_id=source.id,
                    external_id=name,
                    title=f"Contest {name}",
                    starts_at=starts,
                    ends_at=starts + timedelta(hours=2),
                    state=ContestState.ENDED,
                )
            )
        return self._contests[key]

    def problem(
        self,
        name: str,
        *,
        day: date = date(2026, 6, 1),
        source: str = "house",
        contest: str | None = None,
        level: int | None = 2,
        title: str | None = None,
        statement: str = "Read two numbers and print their sum.",
        state: ProblemState = ProblemState.PUBLISHED,
        hold_reason: str | None = None,
        tests: int = 3,
        starter_code: dict[str, str] | None = None,
        form: Form = Form.STDIN,
        **values: Any,
    ) -> Problem:
        """A problem with a text, tests and a level (1 easy, 2 medium, 3 hard)."""
        owner = self.source(source)
        made = self._add(
            Problem(
                source_id=owner.id,
                external_id=name,
                title=title or f"Problem {name}",
                contest_id=self.contest(owner, contest, day).id if contest else None,
                released_on=datetime(day.year, day.month, day.day, 12, tzinfo=UTC),
                state=ProblemState.FOUND,
                **values,
            )
        )
        version = self.version(made, statement=statement, starter_code=starter_code, form=form)
        test_set = self.tests(made, tests)
        made.current_version_id, made.current_test_set_id = version.id, test_set.id
        made.state, made.hold_reason = state, hold_reason
        if level is not None:
            self._add(Difficulty(problem_id=made.id, scale="level", value=float(level), observed_at=self.now))
        return made

    def difficulty(self, problem: Problem, scale: str, value: float) -> None:
        """A further difficulty of a problem."""
        self._add(Difficulty(problem_id=problem.id, scale=scale, value=value, observed_at=self.now))

    def catalogued(self, name: str, *, day: date, source: str, level: int | None = 2) -> Problem:
        """A problem known from an imported file only."""
        made = self._add(
            Problem(
                source_id=self.source(source, demo=False).id,
                external_id=name,
                title=f"Problem {name}",
                released_on=datetime(day.year, day.month, day.day, tzinfo=UTC),
                state=ProblemState.CATALOGUED,
            )
        )
        if level is not None:
            self._add(Difficulty(problem_id=made.id, scale="level", value=float(level), observed_at=self.now))
        return made

    def version(
        self,
        problem: Problem,
        *,
        statement: str,
        locale: str = "en",
        starter_code: dict[str, str] | None = None,
        form: Form = Form.STDIN,
    ) -> ProblemVersion:
        """A text of a problem, in use from now on."""
        self._made += 1
        first = problem.current_version_id is None
        made = self._add(
            ProblemVersion(
                problem_id=problem.id,
                locale=locale,
                statement_sha256=f"{self._made:064x}",
                wording=wording(problem.title, statement, {}),
                title=problem.title,
                statement=statement,
                form=form,
                starter_code=starter_code or {},
                examples=[{"input": "1 2\n", "expected": "3\n"}],
                time_ms=2000,
                memory_mb=256,
                output_kb=1024,
                in_use=first,
                origin=Origin.SUITE,
                seen_at=self.now + timedelta(seconds=self._made),
            )
        )
        if not first:
            texts.put_in_use(self.session, problem.id)
        return made

    def tests(self, problem: Problem, count: int, **values: Any) -> TestSet:
        """A test set whose inputs are secret."""
        self._made += 1
        made = self._add(
            TestSet(
                problem_id=problem.id,
                tests_sha256=f"{self._made:064x}",
                checker_kind="tokens",
                checker={},
                origin=TestsOrigin.PACKAGE,
                brought_by="test",
                proof="proven",
                **values,
            )
        )
        for ordinal in range(count):
            self.session.add(
                TestRow(test_set_id=made.id, ordinal=ordinal, input=f"SECRET-{ordinal}", expected="1", visible=False)
            )
        return made

    def model(
        self, slug: str, *, cutoff_on: date | None = None, released_on: date | None = None, **values: Any
    ) -> Model:
        """A model, registered before every problem; its cutoff has evidence that was accepted."""
        known = {"name": slug.capitalize(), "organisation_name": "Vendor", "demo": False, "created_at": REGISTERED}
        known |= {"cutoff_evidence": "https://example.com/card"} if cutoff_on else {}
        return self._add(
            Model(
                slug=slug,
                cutoff_on=cutoff_on,
                released_on=released_on,
                **{**known, **values},
            )
        )

    def run(
        self,
        model: Model | str,
        *,
        protocol: Protocol | None = None,
        configuration: Mapping[str, Any] | None = None,
        trial: int = 1,
        origin: RunOrigin = RunOrigin.OWN,
        public: bool = True,
        state: RunState = RunState.ACTIVE,
        provenance: Mapping[str, Any] | None = None,
        window: tuple[datetime | None, datetime | None] = (None, None),
        **model_values: Any,
    ) -> Run:
        """A run of a model, which is made when only its slug is given."""
        owner = self.model(model, **model_values) if isinstance(model, str) else model
        chosen = dict(configuration or {})
        return self._add(
            Run(
                model_id=owner.id,
                protocol_id=ensure_protocol(self.session, protocol or self.protocol).id,
                configuration=chosen,
                configuration_key=configuration_key(chosen),
                trial=trial,
                state=state,
                origin=origin,
                public=public,
                provenance=dict(provenance or {}),
                window_start=window[0],
                window_end=window[1],
            )
        )

    def protocol_row(self, protocol: Protocol | None = None) -> None:
        """A protocol that nobody has run yet."""
        ensure_protocol(self.session, protocol or self.protocol)

    def answer(
        self,
        run: Run,
        problem: Problem,
        verdict: Verdict | None = Verdict.ACCEPTED,
        *,
        ordinal: int = 0,
        program: str | None = PROGRAM,
        response: str | None = None,
        state: SampleState | None = None,
        **values: Any,
    ) -> Sample:
        """An answer, judged when a verdict is given."""
        judged = verdict is not None and verdict is not Verdict.JUDGE_ERROR
        values["state"] = state or (SampleState.GRADED if judged else SampleState.ANSWERED)
        made = self._add(self._sample(run, problem, ordinal, program, response, **values))
        if verdict is not None and judged:
            self._add(self._verdict(made, problem, verdict))
        return made

    def answers(self, run: Run, verdicts: Iterable[tuple[Problem, Verdict]]) -> None:
        """An answer to each of these problems, stored all at once."""
        made = [(self._sample(run, problem), problem, verdict) for problem, verdict in verdicts]
        self.session.add_all(sample for sample, _, _ in made)
        self.session.flush()
        self.session.add_all(self._verdict(*each) for each in made)
        self.session.flush()

    def verdict(self, sample: Sample, problem: Problem, verdict: Verdict, **values: Any) -> VerdictRow:
        """A counting verdict."""
        return self._add(self._verdict(sample, problem, verdict, **values))

    def _sample(
        self,
        run: Run,
        problem: Problem,
        ordinal: int = 0,
        program: str | None = PROGRAM,
        response: str | None = None,
        **values: Any,
    ) -> Sample:
        given = {"state": SampleState.GRADED, "finish_reason": "stop", "tokens_input": 100, "tokens_answer": 50,
                 "latency_ms": 1500.0, "answered_at": self.now}  # fmt: skip
        return Sample(
            run_id=run.id,
            problem_id=problem.id,
            problem_version_id=problem.current_version_id,
            ordinal=ordinal,
            item=0,
            response=f"```python\n{program}\n```" if response is None else response,
            answer=program,
            followed_format=program is not None,
            **given | values,
        )

    def _verdict(self, sample: Sample, problem: Problem, verdict: Verdict, **values: Any) -> VerdictRow:
        passed = verdict is Verdict.ACCEPTED
        facts: dict[str, Any] = {
            "grader_revision": "judge-1",
            "passed": 3 if passed else 1,
            "total": 3,
            "cpu_ms": 41.5,
            "wall_ms": 60.0,
            "memory_kb": 9216,
            "limit_mode": "rlimit",
            "outcomes": [["AC", 40.0, 58.0, 9000], [verdict.short, 41.5, 60.0, 9216]],
            "message": "",
            "counts": True,
            "judged_at": self.now,
            **values,
        }
        return VerdictRow(sample_id=sample.id, test_set_id=problem.current_test_set_id, verdict=verdict, **facts)

    def imported(self, run: Run, problem: Problem, n: int, c: int, row: int = 1) -> None:
        """One cell of another board's file."""
        self._add(
            ImportedResult(
                run_id=run.id,
                problem_id=problem.id,
                item=0,
                n=n,
                c=c,
                value=str(100 * c / n),
                source_date="2025-01-01",
                source_clock="file",
                row_number=row,
                file_sha256="f" * 64,
            )
        )

    def workers(self, *, grading: str = "ready", reason: str | None = None, at: datetime | None = None) -> None:
        """A worker of each queue that was heard of just now."""
        moment = at or self.now
        for queue in ("ingest", "infer"):
            heartbeats.record_heartbeat(self.session, f"{queue}@test/0", queue, moment)
        detail = {
            "grading": grading,
            "reason": reason,
            "self_test": [{"name": "network", "ok": grading == "ready", "detail": reason or ""}],
        }
        heartbeats.record_heartbeat(self.session, "grade@test/0", "grade", moment, detail)

    def count(self) -> None:
        """Make the cells from what is there, and say that everything may have changed."""
        self.session.flush()
        cell_updates.rebuild_cells(self.session)
        revision.mark_axes_changed(self.session)

    def aggregate(self) -> None:
        """Bring changed cells up to date, as the workers do."""
        self.session.flush()
        cell_updates.update_changed_cells(self.session)

    def _add(self, row: R) -> R:
        """With its id, and where other sessions see it."""
        self.session.add(row)
        self.session.flush()
        return row


def web_app(sessions: SessionMaker, folder: Path, *, broker: bool = True) -> FastAPI:
    """The real application over a test's own sessions and clock; it opens no other database."""
    app = create_app(
        Settings(
            _env_file=None,
            state_dir=folder,
            secret_key=SecretStr(new_key().decode()),
            database_url="postgresql://nobody@127.0.0.1:1/none",
            redis_url="redis://127.0.0.1:1/0",
        )
    )
    app.state.response_cache.patience_s = 60.0  # of a machine that others use, too
    app.state.web = replace(app.state.web, sessions=sessions, now=lambda: NOW, broker_alive=lambda: broker)
    return app
