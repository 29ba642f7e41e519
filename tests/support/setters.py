"""What setters of several vendors answer to one problem: the greatest sum of neighbours in a row of numbers."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole, read_answers
from app.domain.problems import Form, Limits, ProblemSpec, Test
from app.domain.testgen.candidates import CandidateCounts
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.consensus.inputs import SuiteBudget

# Enough where inputs are short and few answers have to be told apart; what hostile programs may burn is less.
FEW = SuiteBudget(
    {InputKind.SMALL: 4, InputKind.RANDOM: 1, InputKind.SLOW: 1},
    CandidateCounts(exhaustive=4, small=4, random=4, extreme=2, slow=1),
    extra_inputs=4, shrunk_inputs=1, mutants=1, tests=6, runs=1, helper_ms=200, brute_ms=150,
)  # fmt: skip
MORE = replace(FEW, counts={**FEW.counts, InputKind.SMALL: 6})  # where few of fewer are left: ten must be answered
TITLE = "Best Stretch"
PROBLEM = ProblemSpec(
    "best-stretch", Form.STDIN,
    (Test("3\n1 -2 4\n", "4\n", visible=True), Test("2\n-3 -1\n", "-1\n", visible=True)),
    Limits(time_ms=100, memory_mb=256, output_kb=1024),
)  # fmt: skip
VALIDATOR = """
import sys
words = sys.stdin.read().split()
n = int(words[0])
row = list(map(int, words[1:]))
assert 1 <= n <= 4000 and len(row) == n and all(abs(x) <= 10**9 for x in row)
"""
GENERATOR = """
import random, sys
seed, kind = int(sys.argv[1]), sys.argv[2]
r = random.Random(f"{seed} {kind} SALT")
n = {"small": r.randint(1, 6), "random": r.randint(5, 40), "extreme": r.choice([1, 4000]), "slow": 4000}[kind]
most = {"small": 4, "random": 100}.get(kind, 10**9)
low = -most if kind != "extreme" else r.choice([-most, most])
print(n)
print(*[r.randint(min(low, most), most) for _ in range(n)])
"""
BRUTE = """
n = int(input())
row = list(map(int, input().split()))
assert n < 60
print(max(sum(row[i:j]) for i in range(n) for j in range(i + 1, n + 1)))
"""
KADANE = """
n = int(input())
best = end = None
for x in map(int, input().split()):
    end = x if end is None or end < 0 else end + x
    best = end if best is None or end > best else best
print(best)
"""
PREFIXES = """
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n; cin >> n;
    long long low = 0, sum = 0, best = LLONG_MIN;
    for (int i = 0; i < n; i++) { long long x; cin >> x; sum += x; best = max(best, sum - low); low = min(low, sum); }
    cout << best << endl;
}
"""
OVERFLOWS = PREFIXES.replace("long long", "int").replace("LLONG_MIN", "INT_MIN")
FROM_ZERO = KADANE.replace("end < 0", "end < -1")  # wrong: a row that begins with -1
SLOW = BRUTE.replace("assert n < 60\n", "")  # seconds on a large input: too slow whatever a host's factor is
PROBES = {
    "legal": ["1\n0", "2\n1000000000 -1000000000\n", "1\n-1\n"],
    "illegal": [{"input": text, "why": "broken"} for text in ("0\n\n", "2\n1\n", "1\n1 2\n", "1\n1000000001\n", "x\n")],
}


def fenced(body: str, tag: str = "python") -> str:
    return f"Here it is.\n```{tag}\n{body.strip()}\n```\n"


_FEW = """
import sys
seed, kind = int(sys.argv[1]) % SEEDS, sys.argv[2]
n = {"small": 1 + seed, "random": 9 * (1 + seed), "extreme": [1, 4000][seed % 2], "slow": 4000}[kind]
most = {"small": 4, "random": 100}.get(kind, 10**9)
last, row = SALT + seed, []
for _ in range(n):
    last = (last * 1103515245 + 12345) % 2**31
    row.append(most if kind == "extreme" else (last >> 8) % (2 * most + 1) - most)
print(n)
print(*row)
"""


def few_inputs(vendor: str, seeds: int = 4) -> str:
    """A generator that knows a handful of inputs: every program is run with each. It soon begins, without a library."""
    return _FEW.replace("SALT", str(ord(vendor[0]))).replace("SEEDS", str(seeds))


def answers(vendor: str, **changes: str | None) -> list[SetterAnswer]:
    """A good setter's answers; `changes` are texts by role, or role and ordinal as in `solution_1`, None for none."""
    texts: dict[str, str | None] = {
        "validator": fenced(VALIDATOR), "generator": fenced(GENERATOR.replace("SALT", vendor)), "brute": fenced(BRUTE),
        "solution_0": fenced(KADANE), "solution_1": fenced(PREFIXES, "cpp"),
        "probes": fenced(json.dumps(PROBES), "json"), **changes,
    }  # fmt: skip
    made = []
    for name, text in texts.items():
        role, _, ordinal = name.partition("_")
        if text is not None:
            made.append(SetterAnswer(AnswerId(vendor, f"{vendor}-model", SetterRole(role), int(ordinal or 0)), text))
    return made


def recorded_in(folder: Path, title: str) -> list[SetterAnswer]:
    """What the setters whose answers are kept in a folder said of a problem."""
    found: list[SetterAnswer] = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        rows, bad = read_answers(gzip.decompress(path.read_bytes()).decode(), title)
        assert bad == []
        found += rows
    return found


def row(answer: SetterAnswer, problem: str = TITLE) -> Mapping[str, Any]:
    """It as it is recorded."""
    answer_id = answer.answer_id
    return {
        "problem": problem, "setter": answer_id.setter, "vendor": answer_id.vendor, "role": answer_id.role.value,
        "ordinal": answer_id.ordinal, "text": answer.text,
    }  # fmt: skip
