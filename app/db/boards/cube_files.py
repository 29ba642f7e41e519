"""Cubes as files: written under a temporary name, published by one rename, and memory-mapped by readers.

A folder holds one file per shard, named by its content, one for the axes, and `current`, which lists the files of the
published cube with their SHA-256, under its own checksum. Unchanged files are not written again; a file that does not
match its checksum is never shown.
"""

import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.axes import Axes
from app.domain.cube.cube import Cube
from app.domain.cube.incomplete_cells import IncompleteCells
from app.domain.cube.rollups import Rollup
from app.domain.cube.shards import RunningTotals, Shard, shard_shapes
from app.domain.errors import NoObjects
from app.domain.problems import Level, ProblemFact, TestsOrigin

_CURRENT = "current"
_FORMAT = 7
_LOAD_ATTEMPTS = 5
_ALIGN_BYTES = 64
_UNREADABLE = (ValueError, TypeError, KeyError)  # errors from damaged files and other formats
_HEAD = b"tidemark shard".ljust(_ALIGN_BYTES)  # an empty file cannot be mapped


def save(cube: Cube, folder: Path) -> None:
    """Publish `cube` in `folder`, which is created if needed, and replace the cube there.

    A reader sees the old cube or the new one whole, also across a crash; open maps stay valid. Allow one writer at a
    time. Raises OSError, for instance on a full disk; then the old cube stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    replaced = _published_files(folder)
    axes_file = _axes_file(cube.axes)
    sums = {axes_file: _write_if_changed(folder / axes_file, replaced, json.dumps(_axes_to_json(cube.axes)).encode())}
    for place, shard in enumerate(cube.shards):
        name = _shard_file(cube.axes, place, shard.digest)
        sums[name] = _write_if_changed(folder / name, replaced, *_aligned_parts(shard))
    current = {
        "format": _FORMAT,
        "revision": cube.revision,
        "files": sums,
        "axes": axes_file,
        "shards": [shard.digest for shard in cube.shards],
        "items": cube.items.tolist(),
        "faults": [values.tolist() for values in cube.incomplete_cells],
    }
    body = json.dumps(current).encode()
    _write(folder / _CURRENT, _checksum(body).encode() + b"\n", body)
    # The replaced cube's files stay until the next publication: a reader may just have read their list.
    for path in folder.iterdir():
        if path.name not in {_CURRENT, *sums, *replaced}:
            path.unlink(missing_ok=True)


def load(folder: Path) -> Cube:
    """Return the published cube, its arrays mapped read-only.

    Raises NoObjects if no cube was published in this format or if its files cannot be read: a cube is derived and
    can be rebuilt.
    """
    for _ in range(_LOAD_ATTEMPTS):
        try:
            return _load(folder, _read(folder))
        except FileNotFoundError:
            continue  # cubes were published between reading the list and opening what it names
        except _UNREADABLE as damage:
            raise NoObjects(f"the cube in {folder} cannot be read: {damage!r:.200}") from damage
    raise NoObjects(f"no cube in {folder}")


def clear(folder: Path) -> None:
    """Remove the published cube, so that the next one is written whole. Open maps stay valid."""
    shutil.rmtree(folder, ignore_errors=True)


def _read(folder: Path) -> dict[str, Any]:
    """Return the list of published files. Raises OSError or one of `_UNREADABLE`."""
    digest, body = (folder / _CURRENT).read_bytes().split(b"\n", 1)
    if digest.decode() != _checksum(body):
        raise ValueError(f"{_CURRENT} does not match its sum")
    current: dict[str, Any] = json.loads(body)
    if current["format"] != _FORMAT:
        raise ValueError("another format")
    return current


def _published_files(folder: Path) -> Mapping[str, str]:
    """Return the published files, each with its checksum; empty if there are none."""
    try:
        files: Mapping[str, str] = _read(folder)["files"]
    except (FileNotFoundError, *_UNREADABLE):
        return {}
    return files


def _load(folder: Path, current: Mapping[str, Any]) -> Cube:
    for name, digest in current["files"].items():
        with (folder / name).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != digest:
                raise ValueError(f"{name} does not match its sum")
    body = json.loads((folder / current["axes"]).read_text(encoding="utf-8"))
    axes = Axes.of([_read_problem(problem) for problem in body["problems"]], body["runs"], body["shard_blocks"])
    items = np.array(current["items"], dtype=np.int64)
    shards = tuple(
        _map(folder / _shard_file(axes, place, digest), axes, place, items, digest)
        for place, digest in enumerate(current["shards"])
    )
    faults = IncompleteCells(*(np.array(values, dtype=np.int64) for values in current["faults"]))
    return Cube(axes, current["revision"], items, faults, shards)


def _map(path: Path, axes: Axes, place: int, items: NDArray[np.int64], digest: str) -> Shard:
    span = axes.spans[place]
    body = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    arrays: list[NDArray[Any]] = []
    offset = len(_HEAD)
    for shape, kind in shard_shapes(axes, span, int(items[span.row : span.row_end].sum())):
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        arrays.append(body[offset : offset + size].view(kind).reshape(shape))
        offset += -(-size // _ALIGN_BYTES) * _ALIGN_BYTES
    n, c, rates, graded, squares, total, count, ease, *others = arrays
    running, rollup = others[: len(RunningTotals._fields)], others[len(RunningTotals._fields) :]
    return Shard(n, c, rates, graded, squares, total, count, ease, RunningTotals(*running), Rollup(*rollup), digest)


def _write_if_changed(path: Path, replaced: Mapping[str, str], *parts: bytes | memoryview) -> str:
    """Return the checksum of a file, and write the file unless it is listed and has the same length.

    The bytes of an existing file are compared with the checksum when it is opened.
    """
    try:
        if path.name in replaced and path.stat().st_size == sum(memoryview(part).nbytes for part in parts):
            return replaced[path.name]
    except FileNotFoundError:
        pass
    return _write(path, *parts)


def _aligned_parts(shard: Shard) -> Iterator[bytes | memoryview]:
    yield _HEAD
    for values in (*shard[:8], *shard.running, *shard.rollup):
        yield np.ascontiguousarray(values).reshape(-1).view(np.uint8).data
        yield bytes(-values.nbytes % _ALIGN_BYTES)


def _checksum(*parts: bytes | memoryview) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def _write(path: Path, *parts: bytes | memoryview) -> str:
    """Write a file atomically, and return its checksum."""
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        with aside.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())  # otherwise a loss of power could leave the name without the bytes
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return _checksum(*parts)


def _axes_file(axes: Axes) -> str:
    return f"axes{_FORMAT}-{axes.fingerprint[:16]}.json"


def _shard_file(axes: Axes, place: int, digest: str) -> str:
    return f"shard{_FORMAT}-{axes.fingerprint[:16]}-{place}-{digest[:32]}"


def _axes_to_json(axes: Axes) -> Mapping[str, Any]:
    problems = [asdict(problem) | {"released_on": problem.released_on.isoformat()} for problem in axes.problems]
    return {"problems": problems, "runs": list(axes.runs), "shard_blocks": axes.shard_blocks}


def _read_problem(body: Mapping[str, Any]) -> ProblemFact:
    level = None if body["level"] is None else Level(body["level"])
    tests = None if body["tests"] is None else TestsOrigin(body["tests"])
    released_on = datetime.fromisoformat(body["released_on"])
    facts = {"level": level, "tests": tests, "released_on": released_on, "setters": tuple(body["setters"])}
    return ProblemFact(**{**body, **facts})
