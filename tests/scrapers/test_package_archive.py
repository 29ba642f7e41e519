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


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("5\n")
    folder = as_folder(tmp_path, "pkg", kattis())
    (folder / "data/secret/3.in").symlink_to(tmp_path / "secret")
    assert refusal_of(folder).file == "pkg/data/secret/3.in"
    (folder / "data/secret/3.in").unlink()
    (folder / "elsewhere").symlink_to(tmp_path)
    assert "links are not followed" in refusal_of(folder).reason
    (folder / "elsewhere").unlink()
    os.mkfifo(folder / "pipe")
    assert refusal_of(folder).file == "pkg/pipe"
    body = io.BytesIO(zipped(kattis()))
    with zipfile.ZipFile(body, "a") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert refusal_of(put(tmp_path, body.getvalue())).file == "x.zip/link"


def test_bombs(tmp_path: Path) -> None:
    """Neither what unpacks to too much, nor what says that it does not."""
    body = io.BytesIO(zipped(kattis()))
    with zipfile.ZipFile(body, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/secret/9.in", b"\n" * (_archive.LARGEST_TEST + 1))
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
    many = zipped({f"f/{number}": "" for number in range(_archive.MOST_FILES + 1)})
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
