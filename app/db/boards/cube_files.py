"""Cubes as files: written aside, published by one rename, opened as memory maps that all readers share.

A folder holds one file per shard, named by its content, one for the axes, and `current`, which lists those of the
published cube. What did not change is not written again.
"""

import json
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.axes import Axes
from app.domain.cube.cube import Cube, Faults
from app.domain.cube.rollups import Rollup
from app.domain.cube.shards import Running, Shard, shapes
from app.domain.errors import NotFound
from app.domain.problems import Level, ProblemFact, TestsOrigin

_CURRENT = "current"
_FORMAT = 6
_TRIES = 5
_ALIGN = 64
_UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError)  # what damaged files lead to
_HEAD = b"tidemark shard".ljust(_ALIGN)  # an empty file cannot be mapped


def save(cube: Cube, folder: Path) -> None:
    """Publish `cube` in `folder` (made if absent), replacing the one there.

    A reader sees the old cube or the new one whole, also across a crash; maps opened before stay valid.
    One writer at a time. Raises OSError, for instance on a full disk; then the old cube stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    axes_file = _axes_file(cube.axes)
    if not (folder / axes_file).exists():
        _write(folder / axes_file, json.dumps(_axes_to_json(cube.axes)).encode())
    shard_files = [_shard_file(cube.axes, place, shard.digest) for place, shard in enumerate(cube.shards)]
    for name, shard in zip(shard_files, cube.shards, strict=True):
        parts = tuple(_padded(shard))
        if not _is_written(folder / name, parts):
            _write(folder / name, *parts)
    replaced = _listed(folder)
    current = {
        "format": _FORMAT,
        "revision": cube.revision,
        "files": [axes_file, *shard_files],
        "axes": axes_file,
        "shards": [shard.digest for shard in cube.shards],
        "items": cube.items.tolist(),
        "faults": [values.tolist() for values in cube.faults],
    }
    _write(folder / _CURRENT, json.dumps(current).encode())
    # What the replaced cube named stays until the next publication: somebody may just have read its list.
    for path in folder.iterdir():
        if path.name not in {_CURRENT, axes_file, *shard_files} | replaced:
            path.unlink(missing_ok=True)


def load(folder: Path) -> Cube:
    """The published cube, its arrays mapped read-only.

    Raises NotFound where none was published in this format, or where what lies there cannot be read: it is derived,
    and can be made anew.
    """
    for _ in range(_TRIES):
        try:
            return _load(folder, _read(folder))
        except FileNotFoundError:
            continue  # cubes were published between reading the list and opening what it names
        except _UNREADABLE as damage:
            raise NotFound(f"the cube in {folder} cannot be read: {damage!r}") from damage
    raise NotFound(f"no cube in {folder}")


def _read(folder: Path) -> dict[str, Any]:
    """The list of what is published. Raises FileNotFoundError or one of `_UNREADABLE`."""
    current = json.loads((folder / _CURRENT).read_text(encoding="utf-8"))
    if not isinstance(current, dict):
        raise TypeError("the list is none")
    return current


def _listed(folder: Path) -> set[str]:
    try:
        return set(_read(folder)["files"])
    except (FileNotFoundError, *_UNREADABLE):
        return set()


def _load(folder: Path, current: Mapping[str, Any]) -> Cube:
    if current["format"] != _FORMAT:
        raise NotFound(f"the cube in {folder} has another format")
    body = json.loads((folder / current["axes"]).read_text(encoding="utf-8"))
    axes = Axes.of([_problem(problem) for problem in body["problems"]], body["runs"], body["shard_blocks"])
    items = np.array(current["items"], dtype=np.int64)
    shards = tuple(
        _map(folder / _shard_file(axes, place, digest), axes, place, items, digest)
        for place, digest in enumerate(current["shards"])
    )
    faults = Faults(*(np.array(values, dtype=np.int64) for values in current["faults"]))
    return Cube(axes, current["revision"], items, faults, shards)


def _map(path: Path, axes: Axes, place: int, items: NDArray[np.int64], digest: str) -> Shard:
    span = axes.spans[place]
    body = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    arrays: list[NDArray[Any]] = []
    offset = len(_HEAD)
    for shape, kind in shapes(axes, span, int(items[span.row : span.row_end].sum())):
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        arrays.append(body[offset : offset + size].view(kind).reshape(shape))
        offset += -(-size // _ALIGN) * _ALIGN
    n, c, rates, graded, squares, total, count, ease, *others = arrays
    running, rollup = others[: len(Running._fields)], others[len(Running._fields) :]
    return Shard(n, c, rates, graded, squares, total, count, ease, Running(*running), Rollup(*rollup), digest)


def _is_written(path: Path, parts: Sequence[bytes | memoryview]) -> bool:
    """Whether the file is there and whole: a machine that lost power may have kept its name and not its bytes."""
    try:
        return path.stat().st_size == sum(memoryview(part).nbytes for part in parts)
    except FileNotFoundError:
        return False


def _padded(shard: Shard) -> Iterator[bytes | memoryview]:
    yield _HEAD
    for values in (*shard[:8], *shard.running, *shard.rollup):
        yield np.ascontiguousarray(values).reshape(-1).view(np.uint8).data
        yield bytes(-values.nbytes % _ALIGN)


def _write(path: Path, *parts: bytes | memoryview) -> None:
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        with aside.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())  # else, after a loss of power, there is the name without the bytes
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def _axes_file(axes: Axes) -> str:
    return f"axes{_FORMAT}-{axes.fingerprint[:16]}.json"


def _shard_file(axes: Axes, place: int, digest: str) -> str:
    return f"shard{_FORMAT}-{axes.fingerprint[:16]}-{place}-{digest[:32]}"


def _axes_to_json(axes: Axes) -> Mapping[str, Any]:
    problems = [asdict(problem) | {"released_on": problem.released_on.isoformat()} for problem in axes.problems]
    return {"problems": problems, "runs": list(axes.runs), "shard_blocks": axes.shard_blocks}


def _problem(body: Mapping[str, Any]) -> ProblemFact:
    level = None if body["level"] is None else Level(body["level"])
    tests = None if body["tests"] is None else TestsOrigin(body["tests"])
    released_on = datetime.fromisoformat(body["released_on"])
    return ProblemFact(**{**body, "level": level, "tests": tests, "released_on": released_on})
