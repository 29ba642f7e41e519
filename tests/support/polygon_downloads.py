"""Packages of Polygon as they are downloaded: manual tests, sources, and commands for the other tests."""

from collections.abc import Mapping

from support.packages import Files

# As testlib's users write them: with an option it prints lists and parts of them instead.
GENERATOR = """\
#include "testlib.h"
#include "shape.h"
#include <iostream>
int main(int argc, char *argv[]) {
    registerGen(argc, argv, 1);
    int count = opt<int>(1), most = opt<int>("most", 9);
    if (opt<int>("lists", 0) == 0) {
        print_all(count, [&] { return rnd.next(1, most); });
        return 0;
    }
    std::vector<int> order = rnd.perm(count, 1);
    println("words", 2);
    println("a", "b");
    int pair[] = {7, 8};
    println(pair, pair + 2);
    println(order.size());
    std::sort(order.begin(), order.end());
    println(order.begin() + 1, order.end());
    println(order);
}
"""
SHAPE = """\
#pragma once
#include <iostream>
template <class Make> void print_all(int count, Make make) {
    std::cout << count << "\\n";
    for (int place = 0; place < count; ++place) std::cout << make() << (place + 1 < count ? ' ' : '\\n');
}
"""
SCRIPT = "import sys\ncount = int(sys.argv[1])\nprint(count)\nprint(*range(1, count + 1))\n"
VALIDATOR = """\
#include "testlib.h"
int main(int argc, char *argv[]) {
    registerValidation(argc, argv);
    addFeature("one value");
    int count = inf.readInt(1, 100, "count");
    inf.readEoln();
    for (int place = 0; place < count; ++place) {
        if (place) inf.readSpace();
        inf.readInt(1, 1000000, "value");
    }
    if (count == 1) feature("one value");
    inf.readEoln();
    inf.readEof();
}
"""
CHECKER = """\
#include "testlib.h"
int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    if (ouf.readLong() != ans.readLong()) quitf(_wa, "another sum");
    quitf(_ok, "the sum");
}
"""
MAIN = """\
#include <bits/stdc++.h>
int main() {
    int n; long long sum = 0, value;
    for (std::cin >> n; n--; sum += value) std::cin >> value;
    std::cout << sum << std::endl;
}
"""
SUM = "input()\nprint(sum(map(int, input().split())))\n"
WRONG = "input()\nprint(max(map(int, input().split())))\n"


def download(changes: Mapping[str, str | bytes | None] | None = None, **words: str) -> Files:
    """A standard package for the sum of a list; in `words` parts of its problem.xml are replaced."""
    xml = XML
    for old, new in {"{tests}": TESTS, "{more}": "", **words}.items():
        xml = xml.replace(old, new)
    files: dict[str, str | bytes | None] = {
        "problem.xml": xml,
        "doall.bat": "rem runs generators\r\n", "wipe.bat": "rem\r\n", "check.exe": b"MZ\x00\x90",
        "files/gen.cpp": GENERATOR, "files/gen.exe": b"MZ\x00\x90", "files/shape.h": SHAPE, "files/line.py": SCRIPT,
        "files/val.cpp": VALIDATOR, "files/check.cpp": CHECKER, "files/olymp.sty": "%", "files/statements.ftl": "<#",
        "solutions/main.cpp": MAIN, "solutions/main.cpp.desc": "Tag: MAIN\r\n", "solutions/main.exe": b"MZ\x00",
        "solutions/other.py": SUM, "solutions/wrong.py": WRONG,
        "statements/english/problem.tex": "\\begin{problem}{Many Tides}{}{}{}{}\\end{problem}",
        "statements/english/problem-properties.json": '{"name": "Many Tides", "legend": "Add them."}',
        "statements/.html/english/problem.html": "<html></html>",
        "statement-sections/english/legend.tex": "Add all $n$ numbers.\r\n",
        "statement-sections/english/example.01": "2\r\n3 4\r\n", "statement-sections/english/example.01.a": "7\r\n",
        "scripts/gen-input-via-stdout.sh": "#!/bin/sh\n", "tests/01": "2\r\n3 4\r\n", "tests/04": "1\r\n5\r\n",
    }  # fmt: skip
    return {path: body for path, body in (files | dict(changes or {})).items() if body is not None}


TESTS = """\
<test method="manual" sample="true"/>
<test cmd="gen 10 -most=1000" method="generated" group="1" points="20.0"/>
<test cmd="gen 10 &quot;-most=1000&quot; seed" method="generated" group="1"/>
<test method="manual" description="smallest" group="1"/>
<test cmd="line 100" method="generated" group="2" points="80.0"/>
<test cmd="gen 10 -most=1000" method="generated" group="2"/>
"""
XML = """\
<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="12" short-name="many-tides" url="https://polygon.example/p1/somebody/many-tides">
    <names><name language="english" value="Many Tides"/></names>
    <statements>
        <statement charset="UTF-8" language="english" mathjax="true" path="statements/english/problem.tex"
            type="application/x-tex"/>
    </statements>
    <judging cpu-name="a CPU" cpu-speed="3600" input-file="" output-file="" run-count="1">
        <testset name="pretests">
            <time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>1</test-count>
            <input-path-pattern>pretests/%02d</input-path-pattern>
            <answer-path-pattern>pretests/%02d.a</answer-path-pattern>
            <tests><test method="manual"/></tests>
        </testset>
        <testset name="tests">
            <time-limit>2000</time-limit>
            <memory-limit>268435456</memory-limit>
            <test-count>6</test-count>
            <input-path-pattern>tests/%02d</input-path-pattern>
            <answer-path-pattern>tests/%02d.a</answer-path-pattern>
            <tests>{tests}</tests>
            <groups><group feedback-policy="icpc" name="1" points="20.0" points-policy="complete-group"/></groups>
        </testset>
    </judging>
    <files>
        <resources>
            <file path="files/olymp.sty"/><file path="files/testlib.h" type="h.g++"/>
        </resources>
        <executables>
            <executable>
                <source path="files/gen.cpp" type="cpp.g++17"/><binary path="files/gen.exe" type="exe.win32"/>
            </executable>
            <executable><source path="files/line.py" type="python.3"/></executable>
            <executable><source path="files/val.cpp" type="cpp.g++17"/></executable>
        </executables>
    </files>
    <assets>
        <checker type="testlib">
            <source path="files/check.cpp" type="cpp.g++17"/>
            <binary path="check.exe" type="exe.win32"/>
            <copy path="check.cpp"/>
            <testset>
                <test-count>1</test-count>
                <input-path-pattern>files/tests/checker-tests/%02d</input-path-pattern>
                <output-path-pattern>files/tests/checker-tests/%02d.o</output-path-pattern>
                <answer-path-pattern>files/tests/checker-tests/%02d.a</answer-path-pattern>
                <tests><test verdict="ok"/></tests>
            </testset>
        </checker>
        {more}
        <validators>
            <validator>
                <source path="files/val.cpp" type="cpp.g++17"/>
                <testset>
                    <test-count>1</test-count>
                    <input-path-pattern>files/tests/validator-tests/%02d</input-path-pattern>
                    <tests><test verdict="valid"/></tests>
                </testset>
            </validator>
        </validators>
        <solutions>
            <solution tag="main"><source path="solutions/main.cpp" type="cpp.g++17"/></solution>
            <solution tag="accepted"><source path="solutions/other.py" type="python.3"/></solution>
            <solution tag="wrong-answer"><source path="solutions/wrong.py" type="python.3"/></solution>
        </solutions>
    </assets>
    <properties><property name="tests-wellformed" value="true"/></properties>
    <stresses><stress-count>0</stress-count><stress-path-pattern>stresses/%03d</stress-path-pattern><list/></stresses>
    <tags><tag value="sums"/></tags>
</problem>
"""
