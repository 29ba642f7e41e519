"""What sandboxes read has a name of what it is made of: who changes any of it gets another folder."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from app.domain.errors import SandboxUnavailable
from workers.grading import judge
from workers.grading.languages import BuildProduct, Language
from workers.grading.sandbox import root
from workers.grading.sandbox.built_folder import ensure_root

PYTHON = "/usr/bin/python3"
LANGUAGE = Language("x", "x", (), "")
COPIED = BuildProduct("folder/out", ("/bin/cp", "{source}", "{out}"), "one\nline\n")


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[ModuleType]:
    """The module, as it would be beside other files."""
    grading = Path(judge.__file__).parent
    for folder in ("sandbox", "testing"):
        shutil.copytree(grading / folder, tmp_path / "grading" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    spec = importlib.util.spec_from_file_location("copied_root", tmp_path / "grading" / "sandbox" / "root.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["copied_root"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["copied_root"]


def test_another_file_makes_other_tools(copied: ModuleType, tmp_path: Path) -> None:
    folder = ensure_root(tmp_path / "root")

    def digest() -> str:
        tools = copied.publish_tools(folder, PYTHON, None, tmp_path)
        assert (tools.launcher, tools.path.name) == (False, f"tools-{tools.digest}")
        return str(tools.digest)

    names = [digest()]
    path = folder / f"tools-{names[0]}"
    assert ((path / "build").is_dir(), (path / "main").is_file()) == (True, True), "on these something is mounted"
    assert list((path / "packages").rglob("__pycache__")) == []
    assert digest() == names[0]
    for name in ("sandbox/guest.py", "sandbox/driver.py", "sandbox/launcher.c", "testing/dependency_watch.py"):
        with (tmp_path / "grading" / name).open("a") as file:
            file.write("\n")
        names.append(digest())
    assert len(set(names)) == 5
    assert digest() not in names[:-1]
    product = BuildProduct("out", ("/bin/cp", "{source}", "{out}"), "oom.cpp")
    paths = set()
    for _ in range(2):
        paths.add(copied.publish_products(folder, LANGUAGE, [product], "1", tmp_path, "bwrap").path)
        with (tmp_path / "grading" / "sandbox" / "oom.cpp").open("a") as file:
            file.write("\n")
    assert len(paths) == 2
    other = copied.publish_tools(folder, sys.executable, None, tmp_path)
    assert other.digest not in names, "the interpreter that compiled them is another one"


def test_products_are_made_anew_for_another_source_command_or_version(tmp_path: Path) -> None:
    folder = ensure_root(tmp_path / "root")

    def made(product: BuildProduct = COPIED, version: str = "1") -> Path:
        found = root.publish_products(folder, LANGUAGE, [product], version, tmp_path, "bwrap")
        assert found is not None
        return found.path

    path = made()
    assert (path / "folder" / "out").read_text() == "one\nline\n"
    assert [each.name for each in path.iterdir() if each.suffix == ".x"] == [], "its source is no product"
    others = {
        made(version="2"),
        made(replace(COPIED, source="another\n")),
        made(replace(COPIED, command=("/bin/cp", "-p", "{source}", "{out}"))),
        made(replace(COPIED, source="oom.cpp")),
    }
    assert (len(others | {path}), made()) == (5, path)
    assert root.publish_products(folder, LANGUAGE, [], "1", tmp_path, "bwrap") is None


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["/bin/sh", "-c", "echo no room >&2; exit 3"], "/bin/sh failed: no room"),
        (["/no/such/compiler"], "/no/such/compiler failed: "),
    ],
)
def test_what_cannot_be_built_is_said(tmp_path: Path, command: list[str], words: str) -> None:
    with pytest.raises(SandboxUnavailable, match=words):
        root.build(command, tmp_path)


def test_a_build_has_a_small_environment_and_no_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", "/somebody/elses")
    out = tmp_path / "out"
    root.build(["/bin/sh", "-c", f"cat > {out}; echo $CPATH $TMPDIR $PWD >> {out}"], tmp_path)
    assert out.read_text() == f"{tmp_path} /\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives uids away")
def test_a_uid_is_one_sandboxs_until_it_ends(tmp_path: Path) -> None:
    folder = ensure_root(tmp_path / "root")
    open_before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        with root.reserved_uid(folder, 64000, 2) as one, root.reserved_uid(folder, 64000, 2) as other:
            assert (one, other) == (64000, 64001)
    assert len(list(Path("/proc/self/fd").iterdir())) == open_before
