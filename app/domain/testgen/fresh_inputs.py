"""Inputs that no test has, to check whether accepted programs agree on them."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from app.domain.errors import InvalidInput
from app.domain.problems import Entry
from app.domain.testgen.candidates import CandidateCounts, candidates
from app.domain.testgen.grammars.files import read_grammar
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.statements.statement import grammar_of

MAX_FRESH_INPUTS: Final = 30
# Small ones: they are answered quickly, and a person can see why answers differ.
_FRESH_COUNTS: Final = CandidateCounts(exhaustive=10, small=15, random=15, extreme=0, slow=0, bytes=200_000)


def fresh_inputs(
    statement: str, entry: Entry | None, inputs: Sequence[Any], grammar: str | None, seed: int
) -> list[Any]:
    """Return up to `MAX_FRESH_INPUTS` legal inputs that are not in `inputs`, by a grammar file's text or the statement.

    Empty if neither describes the legal inputs; for a problem that reads text, only a grammar file can.
    """
    rules = _find_grammar(statement, entry, inputs, grammar)
    if rules is None:
        return []
    drafts = (candidate.given for candidate in candidates(rules, seed, _FRESH_COUNTS))
    return list(islice((draft for draft in drafts if draft not in inputs), MAX_FRESH_INPUTS))


def _find_grammar(statement: str, entry: Entry | None, inputs: Sequence[Any], grammar: str | None) -> Grammar | None:
    if grammar is not None:
        try:
            return read_grammar(grammar)
        except InvalidInput:
            return None
    return grammar_of(statement, entry, inputs)
