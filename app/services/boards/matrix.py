"""Every pass rate of a board in one small file, for a browser that computes scores itself while a window is dragged.

    bytes 0-3    "TMX1"
    bytes 4-7    the length of the head, unsigned, little-endian
    the head     JSON in UTF-8
    the codes    run after run, problem after problem in the head's order; each run begins with a new byte

A code is `bits` wide: two of 4 bits share a byte, the first in the lower half; codes of 16 and 32 bits are
little-endian. A code is a place in `values`, the distinct pass rates there are, or their number if nothing was
graded. So rates are exact whatever they are made of; up to 15 different ones (answers to up to 14 samples, say) take
half a byte each. A score is 100 times the mean of a run's rates over the problems chosen.

The head:

    {"protocol", "revision", "rules", "bits", "values": [0.0 .. 1.0],
     "problems": {"count", "first": day, "days": [gap], "midnight": [place], "platforms": [text], "platform": [place],
                  "levels": [text or null], "level": [place], "clusters": count, "cluster": [gap]},
     "runs": [{"run", "model", "configuration", "language", "trial", "cutoff": day or null}],
     "left_out": {"problems": {reason: count}, "runs": {reason: count}}}

Problems are ordered by release. `days` and `cluster` are differences to the problem before, the first to `first` and
to cluster 0; intervals are clustered by `cluster`, the contest. The matrix holds the problems that a board's filters
choose (window, platform, difficulty) and the runs they list (model, language, cutoff before), every trial of them, and
counts the others; it does not choose the trial that stands on a board. In split mode a problem that a run may have seen
counts as not graded for it, so that the mean is that of its clean part; the other modes leave all results in.

A window [start, end) holds the problems with start <= day < end. Under LiveCodeBench's rules (`"rules": "lcb"`) the day
is the one after the release, and a window also holds the problems of day `end` that came out at midnight: `midnight`
has the places of those; it is empty under other rules.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery
from app.domain.boards.lineup import Lineup
from app.domain.boards.seen_problems import SeenProblems
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.errors import InvalidInput
from app.services.boards.board_views import CubeStore, load_protocol

MAGIC: Final = b"TMX1"
# Four megabytes at most: more is too much for a browser.
MAX_CELLS: Final = 2_000_000

_DTYPE_BY_BITS: Final = {4: np.uint8, 8: np.uint8, 16: np.uint16, 32: np.uint32}


def matrix(session: Session, query: BoardQuery, cubes: CubeStore) -> bytes:
    """Return the file. Raises InvalidInput when the protocol is unknown or the board too large."""
    loaded = load_protocol(session, query, cubes)
    return pack(loaded.cube, loaded.lineup, query, loaded.absent, len(loaded.retired))


def pack(
    cube: Cube, lineup: Lineup, query: BoardQuery, absent: Mapping[str, int] | None = None, retired: int = 0
) -> bytes:
    """Return the file of the problems and runs that a query chooses. Raises InvalidInput when they are too many."""
    axes, selection, filtered = cube.axes, Selection.of(cube.axes, query), lineup.filter_reasons(query)
    rows = np.flatnonzero(selection.chosen)
    runs = [run for place, run in enumerate(lineup.runs) if place not in filtered]
    hidden = Counter(filtered.values()) + Counter(retired=retired)
    if rows.size * len(runs) > MAX_CELLS:
        raise InvalidInput(
            f"the board has more than {MAX_CELLS:,} cells; choose a shorter window or fewer models", pointer="/from"
        )
    columns = axes.columns_of(np.array([run.id for run in runs], dtype=np.int64))
    values, codes = _encode_rates(cube, rows, columns, lineup.excluded_problems(axes, query))
    bits = next(bits for bits in _DTYPE_BY_BITS if len(values) < 1 << bits)
    days, clusters = axes.day[rows], axes.cluster[rows]
    _, cluster = np.unique(clusters, return_inverse=True)
    head = {
        "protocol": query.protocol,
        "revision": cube.revision,
        "rules": query.rules,
        "bits": bits,
        "values": values,
        "problems": {
            "count": rows.size,
            "first": axes.problems[rows[0]].day.isoformat() if rows.size else None,
            "days": np.diff(days, prepend=days[:1]).tolist(),
            "midnight": np.flatnonzero(axes.at_midnight[rows]).tolist() if selection.late else [],
            "platforms": axes.platforms,
            "platform": axes.platform[rows].tolist(),
            "levels": axes.levels,
            "level": axes.level[rows].tolist(),
            "clusters": np.unique(clusters).size,
            "cluster": np.diff(cluster, prepend=0).tolist(),
        },
        "runs": [
            {
                "run": run.id,
                "model": run.model,
                "configuration": run.configuration,
                "language": run.language,
                "trial": run.trial,
                "cutoff": None if run.cutoff_on is None else run.cutoff_on.isoformat(),
            }
            for run in runs
        ],
        "left_out": {"problems": {**selection.left_out(query), **(absent or {})}, "runs": hidden},
    }
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
    return MAGIC + len(text).to_bytes(4, "little") + text + _pack_codes(codes, bits)


def _encode_rates(
    cube: Cube, rows: NDArray[np.int64], columns: NDArray[np.int64], excluded: SeenProblems | None
) -> tuple[list[float], NDArray[Any]]:
    """Return the distinct rates, and each rate's place among them by (run, problem); `excluded` ones have no rate."""
    rate, graded = np.zeros((rows.size, columns.size)), np.zeros((rows.size, columns.size), dtype=bool)
    for inside, pair in cube.pass_rates(rows, columns):
        at = np.searchsorted(rows, inside)
        rate[at], graded[at] = pair
    if excluded is not None:
        graded &= excluded.clean(rows, columns)
    values, places = np.unique(rate[graded], return_inverse=True)
    codes = np.full(rate.shape, values.size, dtype=np.uint32)
    codes[graded] = places
    return values.tolist(), codes.T


def _pack_codes(codes: NDArray[Any], bits: int) -> bytes:
    narrow = codes.astype(_DTYPE_BY_BITS[bits])
    if bits == 4:
        even = np.pad(narrow, ((0, 0), (0, narrow.shape[1] % 2)))
        narrow = even[:, ::2] | even[:, 1::2] << 4
    return np.ascontiguousarray(narrow, dtype=narrow.dtype.newbyteorder("<")).tobytes()
