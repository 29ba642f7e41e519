"""Blocks of the cube by shard, and sums of lines."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.cube.shards import Shard
from app.domain.metrics.intervals import Floats


class ShardBlocks(NamedTuple):
    """A shard with some of its blocks: their places in the shard, and in the list of blocks asked for."""

    shard: Shard
    blocks: slice | Ints
    place: slice

    def take(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return these blocks' lines of `values` by (block, run); a view if the blocks are adjacent."""
        return values[self.blocks]

    def by_level(self, values: NDArray[Any], levels: Sequence[int]) -> NDArray[Any]:
        """Return these blocks' lines of `values` by (level, block, run) on some levels."""
        at = np.array(levels)
        return values[at, self.blocks] if isinstance(self.blocks, slice) else values[at[:, None], self.blocks]

    def sum_levels(self, values: NDArray[Any], levels: Sequence[int]) -> NDArray[Any]:
        """Return the sums of these blocks' lines over the levels."""
        first, *others = (self.take(values[level]) for level in levels)
        total = first.copy()
        for line in others:
            total += line
        return total


def blocks_by_shard(cube: Cube, blocks: Ints) -> Iterator[ShardBlocks]:
    spans = cube.axes.spans
    edges = np.searchsorted(blocks, [*(span.block for span in spans), cube.axes.block_day.size]).tolist()
    for span, shard, (low, high) in zip(spans, cube.shards, pairwise(edges), strict=True):
        if low < high:
            local = blocks[low:high] - span.block
            neighbours = int(local[-1] - local[0]) == local.size - 1
            yield ShardBlocks(
                shard, slice(int(local[0]), int(local[-1]) + 1) if neighbours else local, slice(low, high)
            )


def add_lines(target: Floats, place: Ints, values: Floats) -> None:
    """Add each line of `values` to the line of `target` that `place` names."""
    if np.any(place[1:] < place[:-1]):
        order = np.argsort(place, kind="stable")
        place, values = place[order], values[order]
    edges = [*np.flatnonzero(np.diff(place, prepend=-1)).tolist(), place.size]
    if len(edges) > place.size:  # each target line gets one line
        target[place] += values
        return
    for low, high in pairwise(edges):
        target[place[low]] += values[low:high].sum(axis=0)
