"""Packages as files: folders and archives, and whatever else somebody may hand in as one."""

import io
import os
import random
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from support.packages import as_folder, dmoj, kattis, polygon, read, refusal_of, zipped
from support.work import little_work

from scrapers.packages import archive as _archive


def put(root: Path, body: bytes, name: str = "x.zip") -> Path:
    path = root / name
    path.write_bytes(body)
    return path


@pytest.mark.parametrize("files", [polygon(), kattis(), dmoj()], ids=["polygon", "kattis", "dmoj"])
def test_a_folder_and_its_archive_are_one_package(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    folder = read(as_folder(tmp_path, "pkg", files))
    archive = read(put(tmp_path, zipped(files), "pkg.zip"))
    nested = read(put(tmp_path, zipped(files, "pkg/"), "other-name.zip"))
    assert folder.problems == archive.problems == nested.problems
    assert folder.file_sha256 == archive.file_sha256 == nested.file_sha256
    changed = read(as_folder(tmp_path / "again", "pkg", {**files, "notes.txt": "more"}))
    assert changed.file_sha256 != folder.file_sha256


def test_what_machines_leave_beside_is_no_part(tmp_path: Path) -> None:
    files = {**kattis(), "__MACOSX/._problem.yaml": "x", ".DS_Store": b"\0", "data/.git/HEAD": "x"}
    assert read(put(tmp_path, zipped(files), "pkg.zip")).problems == read(as_folder(tmp_path, "pkg", kattis())).problems


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil.txt", "leaves the package"),
        ("data/../../evil.txt", "leaves the package"),
        ("/etc/evil", "leaves the package"),
        ("a//b", "leaves the package"),
        ("./a", "leaves the package"),
        ("C:/evil", "leaves the package"),
        ("a\\..\\b", "leaves the package"),
        ("a\nb", "cannot be shown"),
        ("a\x1b[2Jb", "cannot be shown"),
        ("a\u202eb", "cannot be shown"),
        ("x" * 300, "more than 240 characters"),
        ("/".join("abcdefghijklmnop"), "12 parts"),
    ],
)
def test_absurd_names(tmp_path: Path, name: str, reason: str) -> None:
    row = refusal_of(put(tmp_path, zipped({**kattis(), name: "x"})))
    assert row.file == "x.zip"
    assert reason in row.reason


def linked(files: dict[str, str | bytes], links: dict[str, str | bytes], top: str = "") -> bytes:
    """An archive as `zip -y` makes it: a link is a file that holds its target."""
    body = io.BytesIO(zipped(files, top))
    with zipfile.ZipFile(body, "a", zipfile.ZIP_DEFLATED) as archive:
        for path, target in links.items():
            link = zipfile.ZipInfo(f"{top}{path}")
            link.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(link, target, zipfile.ZIP_DEFLATED)
    return body.getvalue()


def linked_folder(root: Path, files: dict[str, str | bytes], links: dict[str, str]) -> Path:
    folder = as_folder(root, "pkg", files)
    for path, target in links.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).symlink_to(target)
    return folder


WITHOUT = {"data/secret/2.in": None, "data/secret/2.ans": None, "data/secret/small/1.in": None,
           "data/secret/small/1.ans": None}  # fmt: skip


@pytest.mark.parametrize(
    ("links", "copies"),
    [
        ({"data/secret/3.in": "../sample/1.in", "data/secret/3.ans": "../sample/1.ans"},
         {"data/secret/3.in": "5\n", "data/secret/3.ans": "2 3\n"}),
        ({"data/secret/all": "../sample"}, {"data/secret/all/1.in": "5\n", "data/secret/all/1.ans": "2 3\n"}),
        ({"data/secret": "./sample//"}, {"data/secret/1.in": "5\n", "data/secret/1.ans": "2 3\n"}),
        ({"data/secret/3.in": "3.link", "data/secret/3.link": "more/../sample/1.in", "data/secret/more": "../sample",
          "data/secret/3.ans": "more/1.ans"},
         {"data/secret/3.in": "5\n", "data/secret/3.ans": "2 3\n", "data/secret/3.link": "5\n",
          "data/secret/more/1.in": "5\n", "data/secret/more/1.ans": "2 3\n"}),
    ],
)  # fmt: skip
def test_links_within_the_package_are_what_they_lead_to(
    tmp_path: Path, links: dict[str, str], copies: dict[str, str]
) -> None:
    files = kattis(**WITHOUT)
    plain = read(as_folder(tmp_path / "plain", "pkg", files | copies))
    folder = read(linked_folder(tmp_path / "links", files, links))
    archive = read(put(tmp_path, linked(files, dict(links)), "pkg.zip"))
    nested = read(put(tmp_path, linked(files, dict(links), "pkg/"), "other.zip"))
    assert folder.problems == archive.problems == nested.problems == plain.problems
    assert folder.file_sha256 == archive.file_sha256 == nested.file_sha256 == plain.file_sha256
    assert len(plain.problems[0].tests) > 1


BAD_LINKS = [
    ({"x": "/etc/passwd"}, "x", "the link to '/etc/passwd' leads out of the package"),
    ({"data/x": "../../x"}, "data/x", "the link to '../../x' leads out of the package"),
    ({"x": "data/sample/../../../pkg/problem.yaml"}, "x", "out of the package"),
    ({"x": "y", "y": "/etc"}, "y", "the link to '/etc' leads out of the package"),
    ({"x": "up/passwd", "up": ".."}, "", "out of the package"),
    ({"x": "absent"}, "x", "the link to 'absent' leads to nothing in the package"),
    ({"x": "problem.yaml/y"}, "x", "leads to nothing"),
    ({"x": "problem.yaml/../data"}, "x", "leads to nothing"),
    ({"x": "C:\\evil"}, "x", "leads to nothing"),
    ({"x": "x"}, "x", "the link to 'x' leads through more than 40 links"),
    ({"x": "y", "y": "x"}, "", "leads through more than 40 links"),
    ({"x": "x/x/x/x"}, "x", "leads through more than 40 links"),
    ({"data/x": "."}, "data/x", "leads back to a folder that it lies in"),
    ({"data/x": ".."}, "data/x", "leads back"),
    ({"data/x": "../statement", "statement/y": "../data"}, "", "leads back"),
    ({"x": "a" * 999 + "\n"}, "x", "names no path"),
    ({"x": "b" * 1001}, "x", "more than 1000 characters"),
    ({"x": "data/../" * 20 + "data"}, "x", "or 40 parts"),
]  # fmt: skip


@pytest.mark.parametrize(("links", "place", "reason"), BAD_LINKS)
def test_links_that_leave_or_never_end_are_refused_with_their_target(
    tmp_path: Path, links: dict[str, str], place: str, reason: str
) -> None:
    rows = [refusal_of(put(tmp_path, linked(kattis(), dict(links))))]
    rows.append(refusal_of(linked_folder(tmp_path, kattis(), links)))
    for row in rows:
        assert reason in row.reason
        assert row.file.endswith(place)


def test_hostile_links_of_archives(tmp_path: Path) -> None:
    def reason(links: dict[str, str | bytes], **files: str) -> str:
        return refusal_of(put(tmp_path, linked({**kattis(), **files}, links))).reason

    assert reason({"x": b""}) == "the link to '' names no path"
    assert "names no path" in reason({"x": b"a\0b"})
    assert "names no path" in reason({"x": b"\xff"})
    assert reason({"x": b"y" * 5000}) == "the link's target has 5000 bytes, more than 4096"
    assert reason({"extra": "data"}, **{"extra/1.in": "5"}) == "both a file and a folder"
    assert reason({"extra/deep/x": "../data", "extra": "data"}) == "both a file and a folder"
    body = io.BytesIO(linked(kattis(), {"x": "problem.yaml"}))
    with zipfile.ZipFile(body, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("x", "name: other")
    assert "twice" in refusal_of(put(tmp_path, body.getvalue())).reason
    # Eight folders, each with ten links to the next: a hundred million files.
    tree: dict[str, str | bytes] = {f"d{depth}/{at}": f"../d{depth + 1}" for depth in range(8) for at in range(10)}
    assert "more than 20000 files" in reason(tree, **{"d8/x": "1"})
    # A chain of forty links is followed, a longer one is not.
    chain: dict[str, str | bytes] = {f"c{at}": f"c{at + 1}" for at in range(40)}
    assert read(put(tmp_path, linked({**kattis(), "c40": ""}, chain), "pkg.zip")).problems
    assert "more than 40 links" in reason({**chain, "c40": "c41"}, c41="")
    # Each of many links through as many others as may be.
    slow: dict[str, str | bytes] = {f"c{at}": "data/../" * 19 + f"c{at + 1}" for at in range(39)}
    slow |= {f"s/{at}": "../" + "data/../" * 19 + "c0" for at in range(2000)}
    with little_work():
        assert read(put(tmp_path, linked({**kattis(), "c39": ""}, slow), "pkg.zip")).problems
    # What links repeat counts as often as it stands there.
    large = {f"data/large/{at}": "../../large" for at in range(40)}
    assert "MiB" in reason(dict(large), large="7" * (30 << 20))


def test_what_is_neither_file_nor_folder_nor_link(tmp_path: Path) -> None:
    folder = as_folder(tmp_path, "pkg", kattis())
    os.mkfifo(folder / "pipe")
    row = refusal_of(folder)
    assert (row.file, row.reason) == ("pkg/pipe", "neither a file nor a folder nor a link")
    body = io.BytesIO(zipped(kattis()))
    with zipfile.ZipFile(body, "a") as archive:
        pipe = zipfile.ZipInfo("pipe")
        pipe.external_attr = (stat.S_IFIFO | 0o644) << 16
        archive.writestr(pipe, "")
    assert refusal_of(put(tmp_path, body.getvalue())).reason == "neither a file nor a folder nor a link"


def test_bombs(tmp_path: Path) -> None:
    """Neither what unpacks to too much, nor what says that it does not."""
    body = io.BytesIO(zipped(kattis()))
    with zipfile.ZipFile(body, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/secret/9.in", b"\n" * (_archive.MAX_TEST_BYTES + 1))
        archive.writestr("data/secret/9.ans", "1 1\n")
    assert "more than" in refusal_of(put(tmp_path, body.getvalue())).reason

    lying = bytearray(zipped({**kattis(), "data/secret/9.in": "7" * 100_000, "data/secret/9.ans": "1 1\n"}))
    at = lying.rindex(b"data/secret/9.in") - 46
    assert lying[at : at + 4] == b"PK\x01\x02"
    lying[at + 24 : at + 28] = struct.pack("<I", 10)
    row = refusal_of(put(tmp_path, bytes(lying)))
    assert row.file == "x.zip/data/secret/9.in"

    lying[at + 24 : at + 28] = struct.pack("<I", 0xFFFFFF00)
    assert "MiB" in refusal_of(put(tmp_path, bytes(lying))).reason


def test_too_many_files(tmp_path: Path) -> None:
    many = zipped({f"f/{number}": "" for number in range(_archive.MAX_FILES + 1)})
    assert "more than 20000 files" in refusal_of(put(tmp_path, many)).reason
    end = many.rindex(b"PK\x05\x06")
    few = many[: end + 8] + struct.pack("<HH", 3, 3) + many[end + 12 :]
    assert refusal_of(put(tmp_path, few)).reason, "however few it says they are"


def test_names_that_come_twice(tmp_path: Path) -> None:
    body = io.BytesIO(zipped(kattis()))
    with zipfile.ZipFile(body, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("problem.yaml", "name: other")
    assert "twice" in refusal_of(put(tmp_path, body.getvalue())).reason
    both = {**kattis(), "data": "a file"}
    assert refusal_of(put(tmp_path, zipped(both))).reason == "both a file and a folder"


def test_what_is_encrypted_or_packed_in_another_way(tmp_path: Path) -> None:
    body = io.BytesIO(zipped(kattis()))
    with zipfile.ZipFile(body, "a", zipfile.ZIP_LZMA) as archive:
        archive.writestr("data/secret/9.in", "5\n")
    assert "method 14" in refusal_of(put(tmp_path, body.getvalue())).reason
    locked = bytearray(zipped(kattis()))
    at = locked.index(b"PK\x01\x02")
    locked[at + 8] |= 1
    assert refusal_of(put(tmp_path, bytes(locked))).reason == "the file is encrypted"


@pytest.mark.parametrize(
    "body",
    [b"", b"PK", b"PK\x05\x06", b"\0" * 100_000, zipped({}), b"PK\x05\x06" + b"\xff" * 18, b"\x1f\x8b" + b"\0" * 50,
     zipped(kattis())[:-30], zipped(kattis())[200:], b"#!/bin/sh\n" * 9000],
)  # fmt: skip
def test_what_is_no_archive(tmp_path: Path, body: bytes) -> None:
    assert refusal_of(put(tmp_path, body)).file.startswith("x.zip")


def test_an_archive_with_bytes_changed_is_refused_or_says_the_same(tmp_path: Path) -> None:
    """A broken byte never makes another problem: a checksum, a name or a size gives it away."""
    whole, chance = zipped(kattis()), random.Random(5)
    right = read(put(tmp_path, whole, "pkg.zip")).problems[0]
    for _ in range(100):
        broken = bytearray(whole)
        for _flip in range(chance.randint(1, 3)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        try:
            [problem] = read(put(tmp_path, bytes(broken), "pkg.zip")).problems
        except Exception as refused:
            assert type(refused).__name__ == "InvalidImport", repr(refused)  # noqa: PT017
        else:
            assert {(test.input, test.expected) for test in problem.tests} <= {
                (test.input, test.expected) for test in right.tests
            }


def test_a_path_that_is_nothing(tmp_path: Path) -> None:
    assert "No such file" in refusal_of(tmp_path / "absent").reason
    (tmp_path / "empty").mkdir()
    assert "none of problem.xml, problem.yaml, init.yml" in refusal_of(tmp_path / "empty").reason
    assert "problem.xml and problem.yaml" in refusal_of(as_folder(tmp_path, "two", {**kattis(), **polygon()})).reason
