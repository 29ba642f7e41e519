"""The AtCoder Library: C++ programs include it once it is installed, and what may be installed."""

import io
import json
import os
import stat
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from shutil import copyfile, copytree

import pytest
from grading.judging import QUICK, run
from support.packages import Files, as_folder, zipped
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Checker, CheckerKind, Form, ProblemSpec, Test
from app.domain.rejudging.scope import lineage
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.testing.atcoder_library import find_headers

# Of the library's shape: a file without an ending includes its header, and all of them are included by one.
LICENSE = "Creative Commons Legal Code\n\nCC0 1.0 Universal\n"
MATH = """#ifndef ATCODER_MATH_HPP
#define ATCODER_MATH_HPP 1
#include <vector>
#include "atcoder/internal_math"
#ifdef _MSC_VER
#include <intrin.h>
#endif
namespace atcoder {
int sum(const std::vector<int> &values) { return internal::add(values.data(), int(values.size())); }
}
#endif
"""
INTERNAL = """#ifndef ATCODER_INTERNAL_MATH_HPP
#define ATCODER_INTERNAL_MATH_HPP 1
namespace atcoder::internal {
int add(const int *values, int count) { return count ? *values + add(values + 1, count - 1) : 0; }
}
#endif
"""
LIBRARY = {
    "LICENSE": LICENSE,
    "atcoder/all": '#include "atcoder/math"\n',
    "atcoder/math": '#include "atcoder/math.hpp"\n',
    "atcoder/math.hpp": MATH,
    "atcoder/internal_math": '#include "atcoder/internal_math.hpp"\n',
    "atcoder/internal_math.hpp": INTERNAL,
    "document_en/index.html": "<p>How to use it</p>",
    "expander.py": "print()",
}
OTHER = {**LIBRARY, "atcoder/internal_math.hpp": INTERNAL.replace(": 0", ": 100")}  # every sum is greater by that
ADDS = "#include <bits/stdc++.h>\n#include <atcoder/all>\nint main() { std::cout << atcoder::sum({1, 2}); }\n"


def judge_env(root: Path, *words: str | Path) -> Result:
    environment = {"TIDEMARK_SANDBOX_ROOT": str(root)}
    return CliRunner(env=environment).invoke(build_parser(["judge-env"]), ["judge-env", *map(str, words)])


def install(judge: Judge, root: Path, folder: Path) -> str:
    """The digest of what is installed now, in use by a judge from its next self-test on."""
    result = judge_env(root, "build", "acl", folder)
    assert result.exception is None, (result.output, repr(result.exception))
    judge.self_test()
    return result.output.partition(":")[0]


@pytest.fixture(scope="module")
def own(judge: Judge, settings: JudgeSettings, open_folder: Path) -> Judge:
    """A judge with a sandbox root of its own, and the room's precompiled headers: they take ten seconds of a core."""
    root, room = open_folder / "with-headers", judge.find("cpp")
    assert room is not None, judge.refused_languages()
    assert room.products is not None
    copytree(room.products, root / room.products.name, copy_function=os.link)
    copyfile(f"{room.products}.sums", root / f"{room.products.name}.sums")
    own = Judge(replace(settings, sandbox_root=root, slowness=1.0))
    own.self_test()
    return own


@pytest.fixture
def root(own: Judge) -> Path:
    return own._settings.sandbox_root


@pytest.fixture
def installed(own: Judge, root: Path, tmp_path: Path) -> str:
    return install(own, root, as_folder(tmp_path, "installed", LIBRARY))


def adds(judge: Judge, code: str = ADDS, expected: str = "3") -> GradeResult:
    return run(judge, code, "", expected, language="cpp")


# --- judging ---


@pytest.mark.sandbox
def test_a_program_includes_the_library_once_it_is_installed(own: Judge, root: Path, tmp_path: Path) -> None:
    (root / "acl.json").unlink(missing_ok=True)
    own.self_test()
    before = adds(own)
    assert before.verdict is Verdict.COMPILE_ERROR, before
    assert "atcoder/all" in before.message
    bare = own.find("cpp")
    digest = install(own, root, as_folder(tmp_path, "library", LIBRARY))
    after = adds(own)
    assert after.verdict is Verdict.ACCEPTED, after
    assert adds(own, ADDS, "4").verdict is Verdict.WRONG_ANSWER
    found = own.find("cpp")
    assert bare is not None
    assert found is not None
    assert (bare.products, bare.version) == (found.products, found.version), "no header is precompiled anew"
    assert after.grader_revision == before.grader_revision.replace(bare.revision, f"{bare.revision}-acl-{digest[:8]}")
    assert [line.replace(f" -idirafter /acl-{digest}", "") for line in found.compile] == list(bare.compile)
    assert not any("acl" in line or "{" in line.replace("{ ", "") for line in bare.compile), "as before without it"
    assert lineage(after.grader_revision) == lineage(before.grader_revision) == "cpp"
    other = run(own, "print(3)", "", "3")
    assert "acl" not in other.grader_revision, "the judge of other languages is the same"


@pytest.mark.sandbox
def test_other_headers_are_another_judge_and_compile_anew(
    own: Judge, root: Path, installed: str, tmp_path: Path
) -> None:
    code = f"{ADDS}// {os.urandom(8).hex()}"
    first = adds(own, code)
    other = install(own, root, as_folder(tmp_path, "other", OTHER))
    second = adds(own, code, "103")
    assert (first.verdict, second.verdict) == (Verdict.ACCEPTED, Verdict.ACCEPTED), (first, second)
    assert first.grader_revision == second.grader_revision.replace(other[:8], installed[:8])
    assert first.grader_revision != second.grader_revision
    programs = set((root / "programs").iterdir())
    assert install(own, root, as_folder(tmp_path, "again", LIBRARY)) == installed
    assert adds(own, code).verdict is Verdict.ACCEPTED
    assert set((root / "programs").iterdir()) == programs, "what was compiled with the same headers is known"


@pytest.mark.sandbox
@pytest.mark.usefixtures("installed")
def test_the_precompiled_header_is_used_beside_the_library(own: Judge, tmp_path: Path) -> None:
    toolchain = own.find("cpp")
    assert toolchain is not None
    assert toolchain.headers is not None
    assert toolchain.products is not None
    (tmp_path / "main.cpp").write_text(ADDS)
    command = toolchain.compile[0].replace(" main.cpp", " -H -Winvalid-pch main.cpp")
    for place, folder in [*toolchain.headers.mounts.items(), (toolchain.products, "/judge/build")]:
        command = command.replace(folder, str(place))
    done = subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"! {toolchain.products}/most/bits/stdc++.h.gch/17" in done.stderr, done.stderr
    assert f"{toolchain.headers.folder.path}/atcoder/math.hpp" in done.stderr


CHECKS = """#include "testlib.h"
#include <atcoder/math>
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    quitf(atcoder::sum({ouf.readInt()}) == ans.readInt() ? _ok : _wa, "%d", 1);
}
"""
TWENTY = ADDS.replace("int main", "template <class T> concept Any = true;\nint main")


@pytest.mark.sandbox
@pytest.mark.usefixtures("installed")
def test_newer_programs_and_checkers_include_it_too(own: Judge) -> None:
    assert adds(own, TWENTY).verdict is Verdict.ACCEPTED
    checker = Checker(CheckerKind.TESTLIB, program=CHECKS)
    result = own.grade(ProblemSpec("three", Form.STDIN, (Test("", "3"),), QUICK, checker), "print(3)", "python")
    assert result.verdict is Verdict.ACCEPTED, result
    assert "-acl-" in result.grader_revision


WRITES = """#include <bits/stdc++.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int main() {
    std::string path = "/MOUNT/atcoder/all", folder = "/MOUNT/atcoder";
    std::cout << (access(path.c_str(), R_OK) == 0) << (open(path.c_str(), O_WRONLY) >= 0)
              << (open((folder + "/new").c_str(), O_WRONLY | O_CREAT, 0644) >= 0) << (unlink(path.c_str()) == 0)
              << (rename(folder.c_str(), "/tmp/atcoder") == 0) << (chmod(path.c_str(), 0777) == 0);
}
"""
LISTS = "import os\nprint(*(name for name in os.listdir('/') if 'acl' in name), os.path.exists('/MOUNT'))\n"


@pytest.mark.sandbox
def test_no_program_can_change_the_headers(own: Judge, installed: str) -> None:
    result = adds(own, WRITES.replace("MOUNT", f"acl-{installed}"), "100000")
    assert result.verdict is Verdict.ACCEPTED, result
    assert adds(own, f"{ADDS}// {os.urandom(8).hex()}").verdict is Verdict.ACCEPTED
    other = run(own, LISTS.replace("MOUNT", f"acl-{installed}"), "", "False")
    assert other.verdict is Verdict.ACCEPTED, ("other languages do not see them", other)


@pytest.mark.sandbox
def test_damaged_headers_are_written_anew(own: Judge, root: Path, installed: str) -> None:
    path = root / f"acl-{installed}" / "atcoder" / "internal_math.hpp"
    for damage in ("", INTERNAL.replace(": 0", ": 100"), None):
        if damage is None:
            path.unlink()
        else:
            path.write_text(damage)
        result = adds(own, f"{ADDS}// {os.urandom(8).hex()}")
        assert result.verdict is Verdict.ACCEPTED, (damage, result)
        assert path.read_text() == INTERNAL


@pytest.mark.sandbox
def test_nothing_is_said_of_a_program_while_the_record_is_damaged(own: Judge, root: Path, installed: str) -> None:
    record = root / "acl.json"
    whole = record.read_text()
    for damage in (whole[:100], "[]", whole.replace(installed, "0" * 16)):
        record.write_text(damage)
        own.self_test()
        result = adds(own)
        assert result.verdict is Verdict.JUDGE_ERROR, (damage[:40], result)
        assert "run ./tidemark judge-env build acl again" in result.message
    record.write_text(whole)
    own.self_test()
    assert adds(own).verdict is Verdict.ACCEPTED


# --- installing ---


def packed(folder: Path, files: Files, top: str = "") -> Path:
    path = folder / "ac-library.zip"
    path.write_bytes(zipped(files, top))
    return path


def test_archives_and_checkouts_hold_the_same_headers(tmp_path: Path) -> None:
    root = tmp_path / "root"
    checkout = as_folder(tmp_path, "checkout", {**LIBRARY, ".git/HEAD": "x", "test/a.cpp": "int main() {}"})
    places = {
        "ac-library": packed(tmp_path, LIBRARY),
        "checkout": checkout,
    }
    digests = set()
    for name, place in places.items():
        result = judge_env(root, "build", "acl", place)
        assert result.exception is None, (result.output, repr(result.exception))
        digest, told = result.output.splitlines()[0].split(": ")
        assert told == f"5 headers from {name}"
        assert result.output.splitlines()[1] == "  all internal_math math"
        digests.add(digest)
    source = judge_env(root, "build", "acl", packed(tmp_path, LIBRARY, "ac-library-9.9/"))
    assert "5 headers from ac-library-9.9" in source.output
    assert digests == {source.output.partition(":")[0]}
    [digest] = digests
    made = root / f"acl-{digest}"
    assert {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()} == {
        path for path in LIBRARY if path.startswith("atcoder/")
    }, "and nothing else of the archive"
    assert {stat.S_IMODE(path.stat().st_mode) for path in made.rglob("*") if path.is_file()} == {0o644}
    shown = json.loads(judge_env(root, "show", "acl", "--json").output)
    assert (shown["digest"], shown["source"]) == (digest, "ac-library-9.9")
    assert shown["headers"] == sorted(path for path in LIBRARY if path.startswith("atcoder/"))
    assert judge_env(root, "show", "acl").output.startswith(f"{digest}: 5 headers")


def test_without_it_show_says_so(tmp_path: Path) -> None:
    shown = judge_env(tmp_path / "root", "show", "acl")
    assert shown.output == "no headers: a C++ program that includes <atcoder/...> does not compile\n"
    assert json.loads(judge_env(tmp_path / "root", "show", "acl", "--json").output) is None


def refusal(root: Path, *words: str | Path) -> str:
    result = judge_env(root, *words)
    assert result.exception is not None, result.output
    assert find_headers(root) is None
    assert not list(root.glob("acl*")), "nothing of it is kept"
    said = str(result.exception)
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"atcoder/all": None}, "atcoder/all: the file is missing; name the archive or folder"),
        ({"atcoder/math": None}, "atcoder/all: line 1 includes atcoder/math, which is missing"),
        ({"atcoder/internal_math.hpp": None}, "internal_math: line 1 includes atcoder/internal_math.hpp, which is"),
        ({"atcoder/dsu": '#  include <atcoder/dsu.hpp>\n'}, "atcoder/dsu: line 1 includes atcoder/dsu.hpp, which is"),
        ({"atcoder/dsu": '#include "dsu.hpp"\n'}, "atcoder/dsu: line 1 includes atcoder/dsu.hpp, which is"),
        ({"atcoder/dsu": '\n#include "../../etc/passwd"\n'}, "dsu: line 2 includes '../../etc/passwd', a path that"),
        ({"atcoder/dsu": "#include </etc/passwd>\n"}, "dsu: line 1 includes '/etc/passwd', a path that leaves"),
        ({"LICENSE": None}, "LICENSE: the licence file is missing, which states that the headers are CC0"),
        ({"LICENSE": "MIT License\n"}, "LICENSE: the licence is not CC0 1.0"),
        ({"atcoder/all.gch": "x"}, "atcoder/all.gch: the file is not named like a header of the library"),
        ({"atcoder/deep/all": "x"}, "atcoder/deep/all: the file is not named like a header of the library"),
        ({"atcoder/-x": "x"}, "atcoder/-x: the file is not named like a header of the library"),
        ({"atcoder/dsu": b"\0"}, "atcoder/dsu: the file holds a NUL byte"),
        ({"atcoder/dsu": b"\xff"}, "atcoder/dsu: not UTF-8 text"),
        ({"atcoder/dsu": "//" * (128 << 10) + "\n"}, "atcoder/dsu: the file has 262145 bytes, more than 262144"),
        ({f"atcoder/x{number}": "" for number in range(200)}, "atcoder: the folder has 205 files, more than 200"),
        ({"../atcoder/all": "x"}, "leaves the package or is not a plain path: ../atcoder/all"),
        ({"atcoder/../../all": "x"}, "leaves the package or is not a plain path: atcoder/../../all"),
        ({"/atcoder/all": "x"}, "leaves the package or is not a plain path: /atcoder/all"),
    ],
)  # fmt: skip
def test_a_hostile_archive_is_refused(tmp_path: Path, change: dict[str, str | bytes | None], reason: str) -> None:
    files = {path: body for path, body in ({**LIBRARY, **change}).items() if body is not None}
    path = packed(tmp_path, files)
    said = refusal(tmp_path / "root", "build", "acl", path)
    assert said.startswith(f"{path}: ")
    assert reason in said


@pytest.mark.parametrize("target", ["../../../../etc/passwd", "/etc/passwd", "math.hpp"])
def test_links_are_refused(tmp_path: Path, target: str) -> None:
    body = io.BytesIO(zipped(LIBRARY))
    with zipfile.ZipFile(body, "a") as archive:
        link = zipfile.ZipInfo("atcoder/dsu")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, target)
    path = tmp_path / "ac-library.zip"
    path.write_bytes(body.getvalue())
    assert "atcoder/dsu: the" in refusal(tmp_path / "root", "build", "acl", path)
    folder = as_folder(tmp_path, "checkout", LIBRARY)
    (folder / "atcoder" / "dsu").symlink_to(target)
    assert "atcoder/dsu: the" in refusal(tmp_path / "root", "build", "acl", folder)


def test_a_folder_behind_a_link_is_refused(tmp_path: Path) -> None:
    folder = as_folder(tmp_path, "checkout", LIBRARY)
    (folder / "atcoder").rename(folder / "src")
    (folder / "atcoder").symlink_to("src")
    nested = as_folder(tmp_path, "nest/ac-library", LIBRARY)
    (nested / "atcoder" / "math.hpp").rename(nested / "math.hpp")
    (nested / "atcoder" / "math.hpp").symlink_to("../math.hpp")
    for place in (folder, nested.parent):
        assert ": the file is a link" in refusal(tmp_path / "root", "build", "acl", place)


def test_a_wrong_call_says_what_it_takes(tmp_path: Path) -> None:
    root = tmp_path / "root"
    assert "https://github.com/atcoder/ac-library/releases" in refusal(root, "build", "acl")
    assert "No such file" in refusal(root, "build", "acl", tmp_path / "nothing.zip")
    (tmp_path / "x.zip").write_text("x")
    assert "neither a folder nor a zip archive" in refusal(root, "build", "acl", tmp_path / "x.zip")
    assert "known: bigcode, acl" in refusal(root, "build", "numpy")
    assert "from its lock file, not from" in refusal(root, "build", "bigcode", tmp_path / "x.zip")
    assert "acl has headers and no tasks to check" in refusal(root, "check", "acl", tmp_path / "x.zip")
    inner = as_folder(tmp_path, "library", LIBRARY) / "atcoder"
    assert "name the archive or folder that has the folder atcoder in it" in refusal(root, "build", "acl", inner)


@pytest.mark.parametrize("told", ["CC0 1.0  Universal", "under https://creativecommons.org/publicdomain/zero/1.0/"])
def test_the_licence_is_known_by_its_name_or_its_address(tmp_path: Path, told: str) -> None:
    result = judge_env(tmp_path / "root", "build", "acl", packed(tmp_path, {**LIBRARY, "LICENSE": told}))
    assert result.exception is None, repr(result.exception)
