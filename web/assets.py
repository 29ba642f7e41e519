"""Static files: read once, joined, named by their content, compressed, and kept in memory."""

import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import brotli

STATIC = Path(__file__).resolve().parent / "static"

# The parts of the style sheet that come first, in this order; the others follow by name. They are sent as one file.
_CSS_FIRST: Final = ("fonts.css", "tokens.css", "base.css", "layout.css", "components.css")
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
# The icons of vendors, each named by its file; pages draw those that they show.
ICONS: Final = STATIC / "vendor" / "icons"
# Scripts of one page that are sent as one file, so that it needs fewer requests.
_JOINED: Final = {"board-page.js": ("board.js", "tideline.js")}
# A style sheet names another file so.
_REFERENCE: Final = re.compile(rb'url\("asset:([a-z0-9.-]+)"\)')


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is served; `name` contains the first digits of its digest.

    `packed` holds its encoded bodies by the name of the encoding, the smallest first; a font is compressed already.
    """

    name: str
    content_type: str
    body: bytes
    packed: Mapping[str, bytes]

    def pick_encoding(self, accepted: str) -> tuple[str, bytes]:
        """Return the smallest body that an Accept-Encoding header allows, and its encoding; "" for none."""
        names = {
            part.partition(";")[0].strip() for part in accepted.split(",") if part.partition(";")[2].strip() != "q=0"
        }
        return next(((name, body) for name, body in self.packed.items() if name in names), ("", self.body))


@dataclass(frozen=True, slots=True)
class Assets:
    """All files, by their plain names and by the names they are served under."""

    by_plain: Mapping[str, Asset]
    by_served: Mapping[str, Asset]

    def url(self, plain: str) -> str:
        """Return the address of a file, which changes whenever its content does."""
        return f"/static/{self.by_plain[plain].name}"

    @property
    def digest(self) -> str:
        """A digest that changes whenever any file does."""
        return hashlib.sha256("".join(sorted(self.by_served)).encode()).hexdigest()[:12]


@cache
def load_assets() -> Assets:
    """Read and pack every file, once per process. Raises KeyError if the style sheet names an unknown file."""
    files = {path.name: _pack(path.name, path.read_bytes()) for path in _single_files()}
    css = _REFERENCE.sub(lambda match: f'url("{files[match[1].decode()].name}")'.encode(), _style_sheet())
    files["site.css"] = _pack("site.css", css)
    files |= {name: _pack(name, _join_scripts(parts)) for name, parts in _JOINED.items()}
    return Assets(MappingProxyType(files), MappingProxyType({value.name: value for value in files.values()}))


def _single_files() -> Iterator[Path]:
    """Yield the files that are served as they are: scripts, images, fonts."""
    parts = STATIC / "css"  # sent as one file
    for path in sorted(STATIC.rglob("*")):
        if path.suffix in _TYPES and parts not in path.parents and path.parent != ICONS:
            yield path


def _join_scripts(names: Iterable[str]) -> bytes:
    """Return scripts in one module, each in a block of its own, so that none sees the names of another."""
    return b"".join(b"{\n%s}\n" % (STATIC / "js" / name).read_bytes() for name in names)


def _style_sheet() -> bytes:
    """Return all parts of the style sheet as one text."""
    parts = {path.name: path.read_bytes() for path in (STATIC / "css").glob("*.css")}
    names = [*_CSS_FIRST, *sorted(parts.keys() - set(_CSS_FIRST))]
    return b"\n".join(parts[name] for name in names)


def _pack(name: str, body: bytes) -> Asset:
    stem, dot, suffix = name.rpartition(".")
    served = f"{stem}.{hashlib.sha256(body).hexdigest()[:12]}{dot}{suffix}"
    packed = {} if suffix == "woff2" else {"br": brotli.compress(body), "gzip": gzip.compress(body, 9, mtime=0)}
    return Asset(served, _TYPES[f".{suffix}"], body, MappingProxyType(packed))
