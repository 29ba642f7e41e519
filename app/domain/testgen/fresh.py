"""Inputs that no test has, for asking whether accepted programs agree on them."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from app.domain.errors import InvalidInput
from app.domain.problems import Entry
from app.domain.testgen.candidates import Amounts, candidates
from app.domain.testgen.grammars.files import read_grammar
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.statements.statement import grammar_of

MOST: Final = 30
# Small ones: answers to them are quick, and where they differ a person can see why.
_AMOUNTS: Final = Amounts(exhaustive=10, small=15, random=15, extreme=0, slow=0, bytes=200_000)


def fresh_inputs(
    statement: str, entry: Entry | None, inputs: Sequence[Any], grammar: str | None, seed: int
) -> list[Any]:
    """Up to `MOST` legal inputs that are none of the `inputs` ones, by a grammar file's text or the statement's words.

    Empty where neither says what a legal input is: of a problem that reads text only a grammar can.
    """
    rules = _rules(statement, entry, inputs, grammar)
    if rules is None:
        return []
    drafts = (candidate.given for candidate in candidates(rules, seed, _AMOUNTS))
    return list(islice((draft for draft in drafts if draft not in inputs), MOST))


def _rules(statement: str, entry: Entry | None, inputs: Sequence[Any], grammar: str | None) -> Grammar | None:
    if grammar is not None:
        try:
            return read_grammar(grammar)
        except InvalidInput:
            return None
    return grammar_of(statement, entry, inputs)
