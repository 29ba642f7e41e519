"""Filling of texts, and helpers for filling any variable."""

import random
from typing import Any

from app.domain.testgen.grammars.domains import ANY_VALUE, Domains, Interval, Unsatisfiable, interval
from app.domain.testgen.grammars.expressions import CallExpr, Key, Ref, Relation
from app.domain.testgen.grammars.grammar import Grammar, Variable, VariableFact
from app.domain.testgen.sampling.fill import TEXT_STYLES, make_text

MAX_ATTEMPTS = 30  # for one distinct element


class TextFiller:
    """Filling of the texts of one input; each has a random style unless one is given."""

    def __init__(self, grammar: Grammar, domains: Domains, rng: random.Random, style: str | None) -> None:
        self._grammar, self._domains, self._rng, self._style = grammar, domains, rng, style
        self._values: dict[str, Any] = {}

    def _fact(self, variable: Variable, *names: str) -> VariableFact | None:
        facts = [fact for name in names for fact in self._grammar.facts_of(variable.name, name)]
        return facts[0] if facts else None

    def _domain(self, key: Key) -> Interval:
        return self._domains.get(key, ANY_VALUE)

    def _texts(self, variable: Variable, level: int) -> Any:
        low, high = self._domain(Key(variable.name, (None,) * level, length=True))
        if level == variable.depth:
            return self._text(variable, self._rng.randint(low, high))
        length = self._rng.randint(low, high)
        texts = [self._texts(variable, level + 1) for _ in range(length)]
        if level == 0 and variable.depth == 1:
            texts = self._cap_lengths(variable, texts)
            if self._fact(variable, "distinct"):
                texts = self._make_distinct(variable, texts)
        return texts

    def _make_distinct(self, variable: Variable, words: list[str]) -> list[str]:
        unique: dict[str, None] = {}
        for word in words:
            for _ in range(MAX_ATTEMPTS):
                if word not in unique:
                    unique[word] = None
                    break
                word = self._texts(variable, 1)
            else:
                raise Unsatisfiable
        return list(unique)

    def _cap_lengths(self, variable: Variable, words: list[str]) -> list[str]:
        """Cut the words if the sum of their lengths is bounded."""
        left = min((self._domain_of_sum(relation, variable) for relation in self._grammar.relations), default=10**9)
        least = self._domain(Key(variable.name, (None,), length=True))[0]
        total = sum(map(len, words))
        if total <= left:
            return words
        share = max(least, left // max(1, len(words)))
        return [word[:share] for word in words]

    def _domain_of_sum(self, relation: Relation, variable: Variable) -> int:
        left = relation.left
        ref = left.args[0] if isinstance(left, CallExpr) and left.name == "sum" else None
        if isinstance(ref, Ref) and ref.name == variable.name and ref.length:
            return interval(relation.right, self._domains)[1]
        return 10**9

    def _text(self, variable: Variable, length: int) -> str:
        rng = self._rng
        oneof = self._fact(variable, "oneof")
        if oneof is not None:
            return str(rng.choice(oneof.details))
        if (same := self._fact(variable, "same_letters")) is not None:
            characters = list(self._values[same.details[0]])
            if rng.random() < 0.5:
                turn = rng.randrange(max(1, len(characters)))
                return "".join(characters[turn:] + characters[:turn])
            rng.shuffle(characters)
            return "".join(characters)
        if (part := self._fact(variable, "subsequence")) is not None:
            whole = self._values[part.details[0]]
            if length > len(whole):
                raise Unsatisfiable
            return "".join(whole[at] for at in sorted(rng.sample(range(len(whole)), length)))
        letters = self._fact(variable, "letters")
        characters = list(letters.details[0]) if letters else []
        counts = self._grammar.facts_of(variable.name, "count")
        for fact in counts:
            characters = [character for character in characters if character != fact.details[0]]
        style = self._style if self._style in TEXT_STYLES else rng.choice(TEXT_STYLES)
        word = list(make_text(rng, length, characters, style))
        for fact in counts:
            for at in rng.sample(range(length), min(length, fact.details[1])):
                word[at] = fact.details[0]
        if word and word[0] == "0" and self._fact(variable, "no_leading_zeros"):
            word[0] = rng.choice([character for character in characters if character != "0"])
        return "".join(self._set_single_places(variable, word))

    def _set_single_places(self, variable: Variable, word: list[str]) -> list[str]:
        """Set the places that have bounds of their own."""
        for at in self._single_places(variable, len(word)) if variable.depth == 0 else ():
            low, high = self._domains[Key(variable.name, (at,))]
            word[at] = chr(self._rng.randint(max(low, 32), min(high, 126)))
        return word

    def _single_places(self, variable: Variable, size: int) -> list[int]:
        """Return the existing places of an array or a text that relations name by number."""
        keys = [key for key in self._domains if key.name == variable.name and not key.length and len(key.path) == 1]
        return [at for key in keys if (at := key.path[0]) is not None and at < size]
