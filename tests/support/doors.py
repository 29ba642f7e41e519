"""Every door of the site: all addresses that its routes and links give, and what is said at each."""

import itertools
import re
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from urllib.parse import urljoin, urlsplit

import httpx
import pyarrow
from fastapi import FastAPI
from pyarrow import parquet
from starlette.routing import BaseRoute

_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_LINK = re.compile(r"""(?:href|src|action)=["']([^"'#]+)""")
_MOST_BYTES = 1 << 22  # of a stream that does not end


def templates(app: FastAPI) -> list[str]:
    """The paths of all its routes that can be read, with their parameters in braces."""
    return sorted(set(_paths(app.router.routes)))


def _paths(routes: Iterable[BaseRoute]) -> Iterator[str]:
    for route in routes:
        router = getattr(route, "original_router", None)
        if router is not None:
            yield from _paths(router.routes)
        elif "GET" in (getattr(route, "methods", None) or ()):
            yield str(getattr(route, "path"))  # noqa: B009  # only some kinds of routes have one


def addresses(template: str, values: Mapping[str, Sequence[object]]) -> list[str]:
    """A path with every combination of values of its parameters. Raises KeyError for one without any."""
    names = _PARAMETER.findall(template)
    found = []
    for chosen in itertools.product(*(values[name] for name in names)):
        address = template
        for value in chosen:
            address = _PARAMETER.sub(str(value), address, count=1)
        found.append(address)
    return found


def walk(
    client: httpx.Client, starts: Iterable[str], passed_by: Callable[[str], object] = lambda link: False
) -> Iterator[tuple[str, int, str]]:
    """Ask for every address and what it links to on this site, save `passed_by`: (address, status, all texts)."""
    queue = deque(dict.fromkeys(starts))
    known, host = set(queue), client.base_url.netloc.decode()
    while queue:
        address = queue.popleft()
        status, kind, body = _ask(client, address)
        yield address, status, "\n".join(texts(body))
        if "html" not in kind:
            continue
        page = str(client.base_url.join(address))
        for link in dict.fromkeys(_LINK.findall(body.decode())):
            other = urlsplit(urljoin(page, link.replace("&amp;", "&")))
            target = other.path + (f"?{other.query}" if other.query else "")
            if other.netloc == host and target not in known and not passed_by(target):
                known.add(target)
                queue.append(target)


def _ask(client: httpx.Client, address: str) -> tuple[int, str, bytes]:
    with client.stream("GET", address) as answer:
        kind, body = answer.headers.get("content-type", ""), b""
        for piece in answer.iter_bytes():
            body += piece
            if "event-stream" in kind or len(body) > _MOST_BYTES:  # what is told at once is what there is
                break
        heads = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        return answer.status_code, kind, body + b"\n" + heads.encode() if "html" not in kind else body


def texts(body: bytes) -> list[str]:
    """What bytes say to a reader, packed or not."""
    if body.startswith(b"PK"):
        with zipfile.ZipFile(BytesIO(body)) as archive:
            return [text for name in archive.namelist() for text in (name, *texts(archive.read(name)))]
    if body.startswith(b"PAR1"):
        end = body.rindex(b"PAR1") + 4
        return [str(parquet.read_table(pyarrow.BufferReader(body[:end])).to_pylist())]
    return [body.decode(errors="replace")]
