"""What setters of several vendors answer to an interactive problem: find a number by asking whether it is greater."""

from app.domain.consensus.answers import SetterAnswer
from app.domain.problems import Form, Limits, ProblemSpec
from support.setters import answers, fenced

GUESS = ProblemSpec("guess", Form.INTERACTIVE, (), Limits(time_ms=150, memory_mb=256, output_kb=1024))
VALIDATOR = """
import sys
words = sys.stdin.read().split()
assert len(words) == 2
n, x = map(int, words)
assert 1 <= x <= n <= 10**6
"""
GENERATOR = """
import random, sys
seed, kind = int(sys.argv[1]), sys.argv[2]
r = random.Random(f"{seed} {kind} SALT")
n = {"small": r.randint(1, 9), "random": r.randint(10, 999)}.get(kind, 10**6)
print(n, r.choice([1, n]) if kind == "extreme" else r.randint(1, n))
"""
INTERACTOR = """
import sys
n, x = map(int, open(sys.argv[1]).read().split())
assert sys.argv[2:]
print(n, flush=True)
for _ in range(25):
    words = sys.stdin.readline(64).split()
    if len(words) != 2 or words[0] not in ("?", "!") or not words[1].isdigit():
        sys.exit(43)
    if words[0] == "!":
        sys.exit(43 if int(words[1]) != x or sys.stdin.read(99).strip() else 42)
    print("yes" if x > int(words[1]) else "no", flush=True)
sys.exit(43)
"""
HALVING = """
low, high = 1, int(input())
while low < high:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    if input() == "yes":
        low = middle + 1
    else:
        high = middle
print("!", low, flush=True)
"""
IN_CPP = """
#include <iostream>
#include <string>
int main() {
    int low = 1, high; std::cin >> high; std::string word;
    while (low < high) {
        int middle = low + (high - low) / 2;
        std::cout << "? " << middle << std::endl;
        std::cin >> word;
        if (word == "yes") low = middle + 1; else high = middle;
    }
    std::cout << "! " << low << std::endl;
}
"""
ONE_BY_ONE = HALVING.replace("(low + high) // 2", "low")  # wrong: asks more than 25 times
NEVER_LAST = HALVING.replace("high = 1, int(input())", "high = 1, int(input()) - 1")
YES_MAN = "import sys\nprint(7, flush=True)\nsys.stdin.read()\nsys.exit(42)\n"
DEAF = "import sys\nprint(7, flush=True)\nsys.exit(43)\n"


def guessers(vendor: str, **changes: str | None) -> list[SetterAnswer]:
    """A good setter's answers; `changes` as in `support.setters.answers`."""
    texts = {
        "validator": fenced(VALIDATOR), "generator": fenced(GENERATOR.replace("SALT", vendor)), "brute": None,
        "solution_0": fenced(HALVING), "solution_1": fenced(IN_CPP, "cpp"), "probes": None,
        "interactor": fenced(INTERACTOR),
    }  # fmt: skip
    return answers(vendor, **{**texts, **changes})
