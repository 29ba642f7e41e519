"""Parquet files as `recompute.py` of a bundle reads them: uncompressed PLAIN pages, with numpy and nothing else."""

from collections.abc import Iterator
from typing import Any

import numpy as np

_MAX_ROWS = 1_000_000  # rows; a bundle holds fewer, and a few bytes may claim any number


class _ThriftReader:
    """Reader of the compact protocol of Parquet's headers: every struct becomes a dictionary by field number."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def integer(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def struct(self) -> dict[int, Any]:
        fields, number = dict[int, Any](), 0
        while (head := self.data[self.at]) != 0:
            self.at += 1
            number = number + (head >> 4) if head >> 4 else self.integer()
            fields[number] = self.value(head & 15)
        self.at += 1
        return fields

    def value(self, kind: int, *, listed: bool = False) -> Any:
        if kind in (1, 2):  # a flag is its own type, except in a list
            if listed:
                kind, self.at = self.data[self.at], self.at + 1
            return kind == 1
        if kind in (3, 4, 5, 6):
            return self.integer()
        if kind == 8:
            size = self.varint()
            self.at += size
            return self.data[self.at - size : self.at]
        if kind == 9:
            head = self.data[self.at]
            self.at += 1
            size = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15, listed=True) for _ in range(size)]
        if kind == 12:
            return self.struct()
        raise ValueError(f"thrift type {kind} is not read here")


def read_parquet(data: bytes) -> dict[str, list[Any]]:
    """Return the columns of a Parquet file, None for nulls. Raises ValueError for unsupported files."""
    if len(data) < 12 or data[-4:] != b"PAR1":
        raise ValueError("this is not a Parquet file")
    footer = _ThriftReader(data, len(data) - 8 - int.from_bytes(data[-8:-4], "little")).struct()
    columns: dict[str, list[Any]] = {leaf[4].decode(): [] for leaf in footer[2][1:]}
    for group in footer[4]:
        for leaf, chunk in zip(footer[2][1:], group[1], strict=True):
            about = chunk[3]
            if about[4] != 0 or leaf.get(3, 0) == 2:
                raise ValueError("compressed and repeated columns are not read here")
            if not 0 <= about[5] <= _MAX_ROWS - len(columns[leaf[4].decode()]):
                raise ValueError(f"more than {_MAX_ROWS:,} lines are not read here")
            columns[leaf[4].decode()] += _read_pages(data, about[9], about[5], about[1], optional=leaf.get(3, 0) == 1)
    if len(columns) != len(footer[2]) - 1 or len({len(values) for values in columns.values()}) > 1:
        raise ValueError("a column stands twice, or has lines that another one lacks")
    return columns


def _read_pages(data: bytes, at: int, count: int, kind: int, *, optional: bool) -> Iterator[Any]:
    while count > 0:
        reader = _ThriftReader(data, at)
        page = reader.struct()
        if page[1] != 0 or page[5][2] != 0:
            raise ValueError("only PLAIN data pages of version 1 are read here")
        at, size, rows = reader.at + page[3], reader.at, page[5][1]
        if not (0 < rows <= count and size < at <= len(data)):
            raise ValueError("a page has no lines, or more than its column")
        body = data[size:at]
        present = [True] * rows
        if optional:
            length = int.from_bytes(body[:4], "little")
            present, body = _decode_levels(body[4 : 4 + length], rows), body[4 + length :]
        values = _decode_plain(body, kind, sum(present))
        yield from (next(values) if flag else None for flag in present)
        count -= rows


def _decode_levels(levels: bytes, rows: int) -> list[bool]:
    """Decode definition levels of 0 or 1: runs of one value mixed with eights packed into a byte."""
    reader, flags = _ThriftReader(levels), list[bool]()
    while len(flags) < rows:
        head = reader.varint()
        part = np.frombuffer(levels, np.uint8, head >> 1 if head & 1 else 1, reader.at)
        values = np.unpackbits(part, bitorder="little") if head & 1 else np.repeat(part, min(head >> 1, rows))
        flags += values.astype(bool).tolist()
        reader.at += part.size
    return flags[:rows]


def _decode_plain(body: bytes, kind: int, count: int) -> Iterator[Any]:
    if kind == 0:
        return iter(np.unpackbits(np.frombuffer(body, np.uint8), bitorder="little")[:count].astype(bool).tolist())
    if kind in (2, 5):
        return iter(np.frombuffer(body, "<i8" if kind == 2 else "<f8", count).tolist())
    if kind == 6:
        return _texts(body, count)
    raise ValueError(f"Parquet type {kind} is not read here")


def _texts(body: bytes, count: int) -> Iterator[str]:
    at = 0
    for _ in range(count):
        size = int.from_bytes(body[at : at + 4], "little")
        yield body[at + 4 : at + 4 + size].decode()
        at += 4 + size
