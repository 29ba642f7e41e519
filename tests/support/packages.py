"""Small problem packages of each format, as files by path, and how they become folders and archives."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from app.domain.errors import BadRow, InvalidImport
from app.domain.imports import ImportBatch, ImportedProblem
from scrapers.suite import find_suite
from support.files import READ_AT

Files = Mapping[str, str | bytes]

SUM = "a, b = map(int, input().split())\nprint(a + b)\n"
DIFFERENCE = "a, b = map(int, input().split())\nprint(a - b)\n"
SUM_CPP = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n"

# Any split of the number into two positive parts is right.
SPLIT_CHECKER = """\
#include "testlib.h"
int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    int whole = inf.readInt();
    int one = ouf.readInt(1, whole), other = ouf.readInt(1, whole);
    if (one + other != whole) quitf(_wa, "%d and %d are not %d", one, other, whole);
    quitf(_ok, "fine");
}
"""
SPLIT_VALIDATOR = """\
#include "words.h"
#include <fstream>
#include <iostream>
int main(int argc, char **argv) {
    std::ifstream input(argv[1]);
    long long whole, one, other;
    input >> whole;
    if (!(std::cin >> one >> other) || one < 1 || other < 1 || one + other != whole) return WRONG;
    return RIGHT;
}
"""
GUESS_INTERACTOR = """\
#include "testlib.h"
#include <iostream>
int main(int argc, char *argv[]) {
    registerInteraction(argc, argv);
    int hidden = inf.readInt();
    for (int turn = 0; turn < 12; ++turn) {
        int guess = ouf.readInt(1, 1000);
        std::cout << (guess < hidden ? "more" : guess > hidden ? "less" : "yes") << std::endl;
        if (guess == hidden) quitf(_ok, "found");
    }
    quitf(_wa, "not found");
}
"""
GUESS = """\
low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    said = input()
    if said == "yes":
        break
    low, high = (guess + 1, high) if said == "more" else (low, guess - 1)
"""
GUESS_WRONG = "print(1, flush=True)\ninput()\n"


def polygon(**changes: str | bytes | None) -> dict[str, str | bytes]:
    """A package of Polygon that asks for a sum; a change of None takes a file away."""
    files: dict[str, str | bytes | None] = {
        "problem.xml": POLYGON_XML,
        "statement-sections/english/name.tex": "Two Tides",
        "statement-sections/english/legend.tex": "Add $a$ and $b$, which \\textbf{may} be negative.\n",
        "statement-sections/english/input.tex": "Two integers ($-10^9 \\le a, b \\le 10^9$).",
        "statement-sections/english/output.tex": "Their sum.",
        "statement-sections/chinese/legend.tex": "求 $a+b$。",
        "statement-sections/chinese/input.tex": "两个整数。",
        "tests/01": "1 2\r\n", "tests/01.a": "3\r\n", "tests/02": "-5 3\r\n", "tests/02.a": "-2\r\n",
        "tests/03": "1000000000 1000000000\n", "tests/03.a": "2000000000\n",
        "files/check.cpp": "// a stock checker", "files/testlib.h": "// left where it is",
        "solutions/main.cpp": SUM_CPP, "solutions/other.py": SUM, "solutions/minus.py": DIFFERENCE,
        "solutions/slow.py": SUM,
    }  # fmt: skip
    return {path: body for path, body in (files | changes).items() if body is not None}


POLYGON_XML = """\
<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="two-tides" url="https://polygon.example/p/two-tides">
    <names>
        <name language="english" value="Two Tides"/>
        <name language="chinese" value="两次潮汐"/>
    </names>
    <judging cpu-name="any" cpu-speed="1" input-file="" output-file="">
        <testset name="tests">
            <time-limit>1500</time-limit>
            <memory-limit>268435456</memory-limit>
            <test-count>3</test-count>
            <input-path-pattern>tests/%02d</input-path-pattern>
            <answer-path-pattern>tests/%02d.a</answer-path-pattern>
            <tests>
                <test method="manual" sample="true"/>
                <test method="manual"/>
                <test method="generated" cmd="gen 1"/>
            </tests>
        </testset>
    </judging>
    <assets>
        <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
        <solutions>
            <solution tag="main"><source path="solutions/main.cpp" type="cpp.g++17"/></solution>
            <solution tag="accepted"><source path="solutions/other.py" type="python.3"/></solution>
            <solution tag="wrong-answer"><source path="solutions/minus.py" type="python.3"/></solution>
            <solution tag="time-limit-exceeded"><source path="solutions/slow.py" type="python.3"/></solution>
        </solutions>
    </assets>
    <tags><tag value="math"/></tags>
</problem>
"""


def polygon_interactive(interactor: str = GUESS_INTERACTOR) -> dict[str, str | bytes]:
    """A package of Polygon whose programs guess a number."""
    asset = '<interactor><source path="files/interactor.cpp" type="cpp.g++17"/></interactor>'
    xml = POLYGON_XML.replace("<checker", f"{asset}<checker", 1).replace("two-tides", "lost-buoy")
    return polygon(**{
        "problem.xml": xml,
        "files/interactor.cpp": interactor,
        "statement-sections/english/interaction.tex": "Print a guess; read \\t{more}, \\t{less} or \\t{yes}.",
        "statement-sections/english/example.01": "more\nyes\n",
        "statement-sections/english/example.01.a": "1\n2\n",
        "tests/01": "2\n", "tests/01.a": "2\n", "tests/02": "700\n", "tests/02.a": "700\n", "tests/03": "999\n",
        "tests/03.a": "999\n",
        "solutions/main.cpp": "// in Python\nint main() {}\n", "solutions/other.py": GUESS,
        "solutions/minus.py": GUESS_WRONG,
    }) | {"problem.xml": xml.replace('<solution tag="main"', '<solution tag="rejected"')}  # fmt: skip


def kattis(**changes: str | bytes | None) -> dict[str, str | bytes]:
    """A package of the format of 2025-09 that asks for any split of a number, judged by a validator of its own."""
    files: dict[str, str | bytes | None] = {
        "problem.yaml": "problem_format_version: 2025-09\ntype: pass-fail\nname:\n  en: Split\n  sv: Dela\n"
        "limits:\n  time_limit: 1.5\n  memory: 512\nkeywords: [easy, numbers]\nconstants:\n  most: 1000\n",
        "statement/problem.en.tex": "\\problemname{Split}\nSplit $n \\le {{most}}$ into two positive parts.\n",
        "statement/problem.sv.md": "# Dela\n\nDela $n$ i två positiva delar.\n",
        "data/sample/1.in": "5\n", "data/sample/1.ans": "2 3\n",
        "data/secret/small/1.in": "2\n", "data/secret/small/1.ans": "1 1\n",
        "data/secret/2.in": "1000\n", "data/secret/2.ans": "1 999\n",
        "output_validator/validate.cpp": SPLIT_VALIDATOR,
        "output_validator/words.h": "#pragma once\nenum { RIGHT = 42, WRONG = 43 };\n",
        "submissions/accepted/first.py": "n = int(input())\nprint(1, n - 1)\n",
        "submissions/accepted/middle.py": "n = int(input())\nprint(n // 2, n - n // 2)\n",
        "submissions/wrong_answer/zero.py": "n = int(input())\nprint(0, n)\n",
        "submissions/time_limit_exceeded/forever.py": "while True: pass\n",
    }  # fmt: skip
    return {path: body for path, body in (files | changes).items() if body is not None}


def dmoj(**changes: str | bytes | None) -> dict[str, str | bytes]:
    """A package of DMOJ that asks for a list of squares, its cases in an archive."""
    cases = {"1.in": "3\n", "1.out": "1 4 9\n", "2.in": "1\n", "2.out": "1\n", "3.in": "4\r\n", "3.out": "1 4 9 16\r\n"}
    trial = "language: PY3\ntime: 2\nmemory: 65536\nsource: {}.py\nexpect: {}\n"
    files: dict[str, str | bytes | None] = {
        "init.yml": "archive: cases.zip\npoints: 100\ntest_cases:\n- {in: 1.in, out: 1.out, points: 10}\n"
        "- batched:\n  - {in: 2.in, out: 2.out}\n  - {in: 3.in, out: 3.out}\n  points: 90\n",
        "cases.zip": zipped(cases),
        "statement/problem.en.md": "# Squares\n\nPrint the first $n$ squares in one line.\n",
        "tests/right/test.yml": trial.format("right", "AC"),
        "tests/right/right.py": "print(*(k * k for k in range(1, int(input()) + 1)))\n",
        "tests/lines/test.yml": trial.format("lines", "WA"),
        "tests/lines/lines.py": "for k in range(1, int(input()) + 1):\n    print(k * k)\n",
    }
    return {path: body for path, body in (files | changes).items() if body is not None}


def zipped(files: Files, top: str = "") -> bytes:
    """The files as a zip archive, in a folder of it where `top` names one."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(f"{top}{path}", text)
    return body.getvalue()


def as_folder(root: Path, name: str, files: Files) -> Path:
    """The files as a folder."""
    for path, body in files.items():
        place = root / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body if isinstance(body, bytes) else body.encode())
    return root / name


def read(path: Path, **options: str) -> ImportBatch:
    """What the importer makes of a package."""
    suite = find_suite("package")
    return suite.read(suite.load(path), options, READ_AT)


def problem_of(root: Path, name: str, files: Files, **options: str) -> ImportedProblem:
    """The one problem of a package that lies in a folder."""
    [problem] = read(as_folder(root, name, files), **options).problems
    return problem


def refusal_of(path: Path, **options: str) -> BadRow:
    """The one row by which a package is refused."""
    try:
        read(path, **options)
    except InvalidImport as refused:
        [row] = refused.bad_rows
        return row
    raise AssertionError(f"{path} was not refused")
