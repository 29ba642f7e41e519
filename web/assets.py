"""Static files: read once, joined, named by their content, compressed, and kept in memory."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

STATIC = Path(__file__).resolve().parent / "static"

# The parts of the style sheet, in the order of its layers; they are sent as one file.
_CSS_PARTS = ("tokens.css", "base.css", "layout.css", "components.css", "pages.css", "code.css")
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is served; `name` contains the first digits of its digest."""

    name: str
    content_type: str
    body: bytes
    packed: bytes


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
    """Read and pack every file, once per process."""
    css = b"\n".join((STATIC / "css" / part).read_bytes() for part in _CSS_PARTS)
    plain = {
        "site.css": css,
        "site.js": (STATIC / "site.js").read_bytes(),
        "icon.svg": (STATIC / "icon.svg").read_bytes(),
    }
    files = {name: _pack(name, body) for name, body in plain.items()}
    return Assets(MappingProxyType(files), MappingProxyType({value.name: value for value in files.values()}))


def _pack(name: str, body: bytes) -> Asset:
    stem, dot, suffix = name.partition(".")
    served = f"{stem}.{hashlib.sha256(body).hexdigest()[:12]}{dot}{suffix}"
    return Asset(served, _TYPES[f".{suffix}"], body, gzip.compress(body, 9, mtime=0))
