"""Readers of a site with persistent connections: each requests a page, reads it to its end, and requests the next.

They run in a process of their own (`python -m perf.readers`, with the parameters as JSON on standard input), since they
must not share an interpreter with the measurement. It prints every response's status, time and age.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class PageFetch:
    """A response: the index of its path, its status (0 if none came), its milliseconds, and its age in seconds."""

    path: int
    status: int
    ms: float
    age_s: float


async def fetch_pages(port: int, paths: Sequence[str], readers: int, seconds: float) -> list[PageFetch]:
    """Let `readers` readers request pages for `seconds` seconds, each in a random order of its own."""
    visits: list[PageFetch] = []
    end = time.monotonic() + seconds
    await asyncio.gather(*(_reader(number, port, paths, end, visits) for number in range(readers)))
    return visits


async def _reader(number: int, port: int, paths: Sequence[str], end: float, visits: list[PageFetch]) -> None:
    draw = random.Random(number)  # the same visits in every run
    await asyncio.sleep(draw.random() / 2)
    while time.monotonic() < end:
        stream, sink = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        try:
            while time.monotonic() < end:
                path = draw.randrange(len(paths))
                began = time.perf_counter()
                try:
                    status, age = await asyncio.wait_for(_ask(stream, sink, paths[path]), _TIMEOUT_S)
                except (OSError, EOFError, TimeoutError, ValueError):
                    visits.append(PageFetch(path, 0, 1000 * (time.perf_counter() - began), 0.0))
                    break
                visits.append(PageFetch(path, status, 1000 * (time.perf_counter() - began), age))
        finally:
            sink.close()


async def _ask(stream: asyncio.StreamReader, sink: asyncio.StreamWriter, path: str) -> tuple[int, float]:
    sink.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    head = await stream.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if "content-length" in headers:
        await stream.readexactly(int(headers["content-length"]))
    else:
        while size := int(await stream.readline(), 16):
            await stream.readexactly(size + 2)
        await stream.readline()
    return int(first.split(" ", 2)[1]), float(headers.get("age", 0))


def run_readers(port: int, paths: Sequence[str], readers: int, seconds: float) -> list[PageFetch]:
    """Run the readers in a process of their own and return their visits."""
    order = {"port": port, "paths": list(paths), "readers": readers, "seconds": seconds}
    process = subprocess.run(
        [sys.executable, "-m", "perf.readers"],
        cwd=Path(__file__).resolve().parents[1],
        input=json.dumps(order).encode(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=seconds + 2 * _TIMEOUT_S,
    )
    return [PageFetch(*visit) for visit in json.loads(process.stdout)]


def main() -> None:
    """Run the readers that standard input describes and print their visits."""
    order: dict[str, Any] = json.load(sys.stdin)
    json.dump([astuple(visit) for visit in asyncio.run(fetch_pages(**order))], sys.stdout)


if __name__ == "__main__":
    main()
