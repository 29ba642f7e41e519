"""What sandboxes read survives a loss of power whole, or is not there and made anew."""

import json
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import SUM, run, sums
from support.thinned import thinned

from app.domain.errors import SandboxUnavailable
from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge
from workers.grading.sandbox.built_folder import BuiltFolder, ensure_root
from workers.grading.sandbox.root import publish_tools
from workers.grading.settings import JudgeSettings


def test_tools_are_on_the_disk_before_they_have_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else an empty launcher under the right name would stop all grading for ever."""
    root, safe, fsync = ensure_root(tmp_path / "root"), set[int](), os.fsync

    def noted(file: int) -> None:
        fsync(file)
        if not list(root.glob("tools-*")):
            safe.add(os.fstat(file).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    settings = JudgeSettings(root, tmp_path)
    tools = publish_tools(root, settings.python, None, tmp_path)
    made = [tools.path, *tools.path.rglob("*")]
    assert len(made) > 10
    assert [path.name for path in made if path.stat().st_ino not in safe] == []


def emptied(path: Path) -> None:
    path.chmod(0o755)
    path.write_bytes(b"")


def overwritten(path: Path) -> None:
    """Of the same size and time, as after a write that went wrong."""
    facts = path.stat()
    path.chmod(0o755)
    path.write_bytes(bytes(byte ^ 0x55 for byte in path.read_bytes()))
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def closed(path: Path) -> None:
    path.chmod(0)


def gone(path: Path) -> None:
    path.unlink()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE = [emptied, overwritten, closed, gone, a_folder]
ADD = '#include <cstdio>\nint main() { int a, b; scanf("%d %d", &a, &b); printf("%d", a + b); }'
SORTED = "from sortedcontainers import SortedList\na, b = map(int, input().split())\nprint(sum(SortedList([a, b])))\n"


@pytest.fixture(scope="module")
def small(settings: JudgeSettings, open_folder: Path) -> Judge:
    """A judge with a root of its own, which tests may damage."""
    judge = Judge(replace(settings, sandbox_root=open_folder / "damaged", slowness=1.0))
    judge.self_test()
    assert all(judge.find(language) for language in ("python", "c")), judge.refused_languages()
    return judge


NAMES = ["launcher", "zygote.py", "guest.py", "seccomp.bpf", "main"]


def judges_by_the_zygote(judge: Judge) -> None:
    assert run(judge, SUM, "1 2", "3").verdict is Verdict.ACCEPTED


def judges_by_the_launcher(judge: Judge, mark: str = "") -> None:
    """Which compiles what it has not seen."""
    result = run(judge, f"{ADD.replace('cstdio', 'stdio.h')} // {mark}", "1 2", "3", language="c")
    assert result.verdict is Verdict.ACCEPTED, result


def damaged(open_folder: Path, turn: int = 0) -> Callable[[], bool]:
    """Damage all of these tools, each in another way; whether they are whole again."""
    (tools,) = (open_folder / "damaged").glob("tools-*[!s]")
    wanted = [(tools / name).read_bytes() for name in NAMES]
    for name, damage in zip(NAMES, DAMAGE[turn:] + DAMAGE[:turn], strict=True):
        damage(tools / name)
    return lambda: [(tools / name).read_bytes() for name in NAMES] == wanted


@pytest.mark.sandbox
@pytest.mark.parametrize("judges", [judges_by_the_zygote, judges_by_the_launcher])
def test_damaged_tools_are_made_anew(small: Judge, open_folder: Path, judges: Callable[[Judge], None]) -> None:
    """By a judge that is grading, whichever way. A test below finds each damage alone."""
    whole = damaged(open_folder)
    judges(small)
    assert whole()


@pytest.mark.sandbox
@pytest.mark.parametrize("turn", thinned(range(5), 5))
def test_a_judge_that_starts_makes_damaged_tools_anew(small: Judge, open_folder: Path, turn: int) -> None:
    """All at once, as after a loss of power, and each in another way; programs are compiled then."""
    whole = damaged(open_folder, turn)
    small.self_test()
    assert whole()
    judges_by_the_zygote(small)
    judges_by_the_launcher(small, mark=os.urandom(8).hex())


@pytest.mark.parametrize("damage", DAMAGE, ids=[each.__name__ for each in DAMAGE])
@pytest.mark.parametrize("thoroughly", [True, False])
@pytest.mark.parametrize("name", ["sub/file", "other"])
def test_each_way_of_damage_to_each_file_is_found(
    tmp_path: Path, name: str, damage: Callable[[Path], None], *, thoroughly: bool
) -> None:
    """Whether every file is read, as at a judge's start, or only looked at."""
    made = BuiltFolder(tmp_path / "root", "folder", counting([]))
    made.repair()
    before = (made.path / name).read_bytes()
    damage(made.path / name)
    assert made.repair(thoroughly=thoroughly)
    assert (made.path / name).read_bytes() == before
    assert not made.repair(thoroughly=True)


@pytest.mark.sandbox
def test_what_programs_import_is_whole(small: Judge, open_folder: Path) -> None:
    for path in (open_folder / "damaged").glob("tools-*/packages/sortedcontainers/*.py"):
        emptied(path)
    assert run(small, SORTED, "1 2", "3").verdict is Verdict.ACCEPTED


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["tools-*[!s]", "programs", "slots", "*.sums"])
def test_what_is_taken_away_is_made_anew(small: Judge, open_folder: Path, name: str) -> None:
    """As those do who keep /var/tmp tidy."""
    for path in (open_folder / "damaged").glob(name):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert run(small, SUM, "1 2", "3").verdict is Verdict.ACCEPTED
    result = run(small, ADD.replace("cstdio", "stdio.h"), "1 2", "3", language="c")
    assert result.verdict is Verdict.ACCEPTED, result


@pytest.mark.sandbox
def test_whoever_stands_on_the_tools_sees_them_whole_again(small: Judge, open_folder: Path) -> None:
    """A program that runs while a worker mends them keeps its own file, which is a mount on one of them."""
    (tools,) = (open_folder / "damaged").glob("tools-*[!s]")
    kept = (tools / "main").stat().st_ino
    emptied(tools / "launcher")
    assert small.grade(sums(), SUM, "python").verdict is Verdict.ACCEPTED
    assert (tools / "launcher").stat().st_size > 0
    assert (tools / "main").stat().st_ino == kept


def counting(times: list[Path]) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        times.append(folder)
        (folder / "sub").mkdir()
        (folder / "sub" / "file").write_bytes(b"bytes")
        (folder / "other").write_bytes(b"more")

    return fill


def test_a_whole_folder_is_left_alone_and_read_after_a_start_of_the_machine(tmp_path: Path) -> None:
    times: list[Path] = []
    made = BuiltFolder(tmp_path / "root", "folder", counting(times))
    assert made.repair()
    assert not made.repair()
    assert not made.repair(thoroughly=True)
    copy = made.path / "sub" / "copy"
    shutil.copyfile(made.path / "sub" / "file", copy)
    copy.replace(made.path / "sub" / "file")  # another file with the same bytes, as out of a backup
    assert not made.repair()
    note = made.path.with_name("folder.sums")
    note.write_text(note.read_text().replace('"boot": "', '"boot": "before'))
    assert not made.repair()
    assert "before" not in note.read_text()
    (made.path / "sub" / "more").touch()
    assert made.repair()
    assert sorted(path.name for path in made.path.rglob("*")) == ["file", "other", "sub"]
    assert len(times) == 2


def test_a_note_that_is_none_makes_the_folder_anew(tmp_path: Path) -> None:
    times: list[Path] = []
    made = BuiltFolder(tmp_path / "root", "folder", counting(times))
    for number, note in enumerate((b"", b"null", b"[]", b"{}", b'{"boot": 1, "looks": [1], "sums": 2}', b"\xff")):
        made.repair()
        made.path.with_name("folder.sums").write_bytes(note)
        assert made.repair(), note
        assert len(times) == number + 2


def test_what_cannot_be_made_again_is_said(tmp_path: Path) -> None:
    def fill(folder: Path) -> None:
        raise OSError(28, "No space left on device", str(folder))

    with pytest.raises(SandboxUnavailable, match="No space left"):
        BuiltFolder(tmp_path / "root", "folder", fill).repair()
    assert not list((tmp_path / "root").glob(".new-*"))


def test_a_root_that_another_could_write_is_none(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "root")
    with pytest.raises(SandboxUnavailable, match="belongs to the service"):
        BuiltFolder(tmp_path / "link", "folder", counting([])).repair()
    (tmp_path / "root").chmod(0o777)
    BuiltFolder(tmp_path / "root", "folder", counting([])).repair()
    assert (tmp_path / "root").stat().st_mode & 0o777 == 0o755
    if os.geteuid() == 0:
        os.chown(tmp_path / "root", 65_000, -1)
        with pytest.raises(SandboxUnavailable, match="belongs to the service"):
            BuiltFolder(tmp_path / "root", "folder", counting([])).repair()


def test_workers_that_start_together_make_it_once(tmp_path: Path) -> None:
    times: list[Path] = []
    begun, both = threading.Event(), threading.Event()

    def slowly(folder: Path) -> None:
        (both if begun.is_set() else begun).set()
        both.wait(0.3)
        counting(times)(folder)

    first, second = (threading.Thread(target=BuiltFolder(tmp_path / "root", "folder", slowly).repair) for _ in range(2))
    first.start()
    assert begun.wait(60)
    second.start()
    for thread in (first, second):
        thread.join(60)
    assert len(times) == 1


def test_what_looks_as_it_did_is_found_out_by_who_reads_it(tmp_path: Path) -> None:
    made = BuiltFolder(tmp_path / "root", "folder", counting([]))
    made.repair()
    note = made.path.with_name("folder.sums")
    sums = json.loads(note.read_text())["sums"]
    (made.path / "other").write_bytes(b"MORE")
    made.record_state()
    note.write_text(json.dumps(json.loads(note.read_text()) | {"sums": sums}))  # as if the disk had changed it
    assert not made.repair()
    assert made.repair(thoroughly=True)
    assert (made.path / "other").read_bytes() == b"more"


def test_whatever_it_was_made_with_others_may_read_it_and_nobody_write(tmp_path: Path) -> None:
    def fill(folder: Path) -> None:
        for name, mode in (("text", 0o600), ("loose", 0o666), ("program", 0o700)):
            (folder / name).touch(mode)
            (folder / name).chmod(mode)

    made = BuiltFolder(tmp_path / "root", "folder", fill)
    made.repair()
    modes = {path.name: path.stat().st_mode & 0o777 for path in (made.path, *made.path.iterdir())}
    assert modes == {"folder": 0o755, "text": 0o644, "loose": 0o644, "program": 0o755}
    (made.path / "loose").chmod(0o666)
    made.path.chmod(0o777)
    assert made.repair()
    assert {path.name: path.stat().st_mode & 0o777 for path in (made.path, *made.path.iterdir())} == modes


def test_links_lead_nothing_elsewhere(tmp_path: Path) -> None:
    made, other = BuiltFolder(tmp_path / "root", "folder", counting([])), tmp_path / "other"
    other.mkdir()
    ensure_root(made.root)
    made.path.symlink_to(other)
    assert made.repair()
    assert not made.path.is_symlink()
    assert list(other.iterdir()) == []
    (made.root / "slots" / "build").unlink()
    (made.root / "slots" / "build").symlink_to(other / "lock")
    (made.path / "other").unlink()
    with pytest.raises(SandboxUnavailable):
        made.repair()
    assert list(other.iterdir()) == []


def test_damage_that_keeps_size_and_time_bytes_or_name_is_found(tmp_path: Path) -> None:
    made = BuiltFolder(tmp_path / "root", "folder", counting([]))
    made.repair()
    file, sub, elsewhere = made.path / "other", made.path / "sub", tmp_path / "elsewhere"
    facts = file.stat()
    file.write_bytes(b"MORE")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert made.repair()
    file.rename(elsewhere)
    file.symlink_to(elsewhere)  # the same bytes, which another can change
    assert made.repair()
    assert not file.is_symlink()
    sub.chmod(0o777)
    assert made.repair()
    assert sub.stat().st_mode & 0o777 == 0o755
