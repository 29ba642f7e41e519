"""What two setters' validators let in, against each measured problem's own validator: illegal tests refuse right
programs.

The problems and both setters' answers were written by one model: their independence is not shown.
"""

import json
from collections.abc import Sequence

import pytest
from league.test_consensus_judged import MEASURED, public, read
from support.setters import recorded_in

from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus.contributions import SetterContributions
from workers.grading.consensus.inputs import GENERATOR_COUNTS, Legality, distinct, generate, parse_input
from workers.grading.consensus.program_runner import ProgramRunner, SetterProgram

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(600)]
ENOUGH = 60  # inputs of a problem: what one setter's generator prints


def offered(runner: ProgramRunner, entrants: SetterContributions) -> list[Candidate]:
    """Every input that setters wrote, hold to be legal, or whose generators print: what suites are made from."""
    texts = [
        *(text for _, text in entrants.hacks),
        *(text for found in entrants.probes.values() for text in found.legal),
    ]
    read_as = (parse_input(runner, text) for text in texts)
    given = [Candidate(InputKind.SMALL, value) for value in read_as if value is not None]
    made = [one for each in entrants.sources[SetterRole.GENERATOR] for one in generate(runner, each, GENERATOR_COUNTS)]
    return distinct([*given, *made])


def written(texts: Sequence[str]) -> list[Candidate]:
    return [Candidate(InputKind.SMALL, text) for text in texts]


@pytest.mark.parametrize("slug", sorted(path.stem for path in MEASURED.glob("*.toml")))
def test_two_vendors_let_in_what_is_legal_and_nothing_else(judge: AnsweringJudge, slug: str) -> None:
    problem = read(slug)
    nobody = AnswerId("nobody", "nobody", SetterRole.VALIDATOR)
    runner, entrants = (
        ProgramRunner(judge, public(problem), 500.0),
        SetterContributions(recorded_in(MEASURED / "setters", problem["title"])),
    )
    legality = Legality(runner, entrants.sources[SetterRole.VALIDATOR], entrants.probes)
    assert len(legality.electorate.voters) == 2
    let_in = [one.given for one in legality.legal(offered(runner, entrants))]
    votes = runner.votes(SetterProgram(nobody, problem["validator"], "python"), let_in)
    assert [given for given, vote in zip(let_in, votes, strict=True) if vote is not True] == []
    assert len(let_in) >= ENOUGH
    [lines] = runner.generate(SetterProgram(nobody, problem["inputs"], "python"), [1], InputKind.SMALL)
    own = written([json.loads(line) for line in str(lines).splitlines()])
    assert legality.legal(own) == own
    assert legality.legal(written(problem["illegal"])) == []
