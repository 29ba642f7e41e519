"""A frozen board as bytes: one spelling, one place for its own link, and rows as CSV."""

import json
import math
from typing import Any

import pytest

from app.domain.boards.snapshots import board_csv, canonical_bytes, has_same_content, insert_digest, snapshot_digest

BODY: dict[str, Any] = {"snapshot": None, "revision": 7, "board": "é", "score": 100 / 3, "rows": []}


def test_there_is_one_spelling() -> None:
    frozen = canonical_bytes(BODY)
    assert frozen == '{"board":"é","revision":7,"rows":[],"score":33.333333333333336,"snapshot":null}'.encode()
    assert canonical_bytes(dict(reversed(BODY.items()))) == frozen
    assert canonical_bytes(json.loads(frozen)) == frozen
    for odd in (math.nan, math.inf):
        with pytest.raises(ValueError, match="Out of range"):
            canonical_bytes({"score": odd})


def test_null_put_back_gives_the_bytes_that_were_hashed() -> None:
    hostile = {**BODY, "rows": [{"model": '"snapshot":null', "name": "snapshot"}]}
    frozen = canonical_bytes(hostile)
    sha256 = snapshot_digest(frozen)
    served = insert_digest(frozen, sha256)
    assert json.loads(served) == {**hostile, "snapshot": sha256}
    assert canonical_bytes({**json.loads(served), "snapshot": None}) == frozen
    for other in (b"{}", served, b'{"a":{"snapshot":null},"snapshot":null}'):
        with pytest.raises(ValueError, match="one board"):
            insert_digest(other, sha256)


def test_the_revision_alone_is_no_other_content() -> None:
    assert has_same_content(BODY, {**BODY, "revision": 8})
    assert not has_same_content(BODY, {**BODY, "score": 1.0})


def test_a_name_is_no_formula() -> None:
    row = {
        **dict.fromkeys(("rank", "rank_lo", "rank_hi", "tier", "ci_lo", "ci_hi", "n_problems", "wanted")),
        "model": "=1+1", "configuration": "", "organisation": "@x", "score": 1.5, "coverage": 1.0, "exposed": 0,
        "by_difficulty": {"easy": {"score": 2.5, "n": 1}}, "cutoff": {"date": None, "basis": "unknown"},
        "provisional": False, "estimate": None, "n_inferred": False, "imported": False, "demo": True,
        "tokens": dict.fromkeys(("input", "cached", "reasoning", "answer")), "seconds_per_problem": 2.5,
        "cost_per_solve": None, "speed_vs_reference": None, "speed_problems": 3,
    }  # fmt: skip
    estimated = {**row, "estimate": {"score": 1.0, "ci_lo": 0.5, "ci_hi": 1.5}}
    heads, first, second = board_csv({"by_difficulty": {"easy": 1}, "rows": [row, estimated]}).splitlines()
    assert heads.split(",")[14:17] == ["easy", "cutoff_date", "cutoff_basis"]
    assert first == ",,,,'=1+1,,'@x,1.5,,,,,1.0,0,2.5,,unknown,False,,,,False,False,True,,,,,2.5,,,3"
    assert ",False,1.0,0.5,1.5,False," in second
