"""One request for a page: its locale, its links, and the state that the process shares."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, update_wrapper
from typing import Final
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.computation_slots import ComputationSlots
from app.domain.addresses import visitor_key
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput
from app.services.operations.web_state import WebState
from web.i18n import ENGLISH, Locale, Translate, catalogue, locales, negotiate_locale, translator

Pairs = Iterable[tuple[str, str]]
# The names of ignored parameters that a page repeats.
_MAX_NAMES, _MAX_NAME_CHARS = 8, 40

# The main navigation: the name of each section and the page it begins with.
SECTIONS: Final = (
    ("board", "/"),
    ("compare", "/compare"),
    ("models", "/models"),
    ("problems", "/problems"),
    ("trust", "/trust"),
    ("api", "/docs/api"),
)
# The first part of an address to its section; other pages, such as those of maintainers, belong to none.
_SECTION_BY_PART: Final = {
    "": "board",
    "boards": "board",
    "sampling": "board",
    "compare": "compare",
    "models": "models",
    "problems": "problems",
    "samples": "problems",
    "trust": "trust",
    "method": "trust",
    "contamination": "trust",
    "changes": "trust",
    "status": "trust",
    "snapshots": "trust",
    "about": "trust",
    "cite": "trust",
    "docs": "api",
}


@dataclass(frozen=True)
class PageRequest:
    """A request in one locale.

    `path` is the address without the locale's prefix. `names_read` holds the parameters that the page reads; None means
    that it reads any.
    """

    request: Request
    locale: Locale
    path: str
    negotiated: bool
    names_read: Collection[str] | None = None

    @property
    def state(self) -> WebState:
        """The state that all requests of this process share."""
        state: WebState = self.request.app.state.web
        return state

    @cached_property
    def now(self) -> datetime:
        """The instant of this request, the same for the whole page."""
        return self.state.now()

    @property
    def t(self) -> Translate:
        """The translator of this page's locale."""
        return translator(self.locale)

    @property
    def visitor(self) -> str | None:
        """The key of the visitor's share of a limited thing; None if the address does not identify a visitor."""
        client = self.request.client
        return visitor_key(client.host) if client else None

    @property
    def sections(self) -> tuple[tuple[str, str], ...]:
        """The names and first pages of the main navigation."""
        return SECTIONS

    @property
    def section(self) -> str | None:
        """The section of the main navigation that this page belongs to, or None."""
        return _SECTION_BY_PART.get(self.path.split("/")[1])

    @cached_property
    def params(self) -> list[tuple[str, str]]:
        """The pairs of the query, in the order of the URL."""
        return list(self.request.query_params.multi_items())

    @property
    def unread_names(self) -> list[str]:
        """The parameters of the address that this page ignores, as far as they can be printed."""
        known = self.names_read
        unread = dict.fromkeys(name for name, _ in self.params if known is not None and name not in known)
        return ["".join(filter(str.isprintable, name))[:_MAX_NAME_CHARS] for name in unread][:_MAX_NAMES]

    @cached_property
    def legend(self) -> dict[str, list[str]]:
        """The meanings of the marks and short words on this page so far; shown at its end."""
        return {}

    def explain_term(self, shown: str, meaning: str, term: str = "") -> str:
        """Return a mark or short word and add its meaning to the legend at the end of the page.

        `term` is its name there if the mark itself contains a number. Tooltips are not used: they do not work with a
        finger or a keyboard.
        """
        meanings = self.legend.setdefault(term or shown, [])
        if meaning not in meanings:
            meanings.append(meaning)
        return shown

    def knows(self, key: str) -> bool:
        """Return True if the catalogue has a text for a key."""
        return key in catalogue(self.locale).messages

    def protocol_title(self, slug: str, title: str) -> str:
        """Return a protocol's title in this page's locale if it is known, else as given."""
        return self._translate_or(f"protocol_title.{slug}", title)

    def board_title(self, name: str) -> str:
        """Return a board's title in this page's locale; its name if the board is unknown."""
        board = boards().get(name)
        return name if board is None else self.spoken(board.titles)

    def spoken(self, words: Mapping[str, str]) -> str:
        """Return a plug-in's own text in this page's locale, or in English if it has none."""
        return words.get(self.locale, words[ENGLISH])

    def _translate_or(self, key: str, default: str) -> str:
        return self.t(key) if self.knows(key) else default

    def href(self, path: str, params: Pairs = ()) -> str:
        """Return a link to one of our pages, in this page's locale."""
        return link(self.locale, path, params)

    def elsewhere(self, locale: Locale) -> str:
        """Return a link to this page in another locale."""
        return link(locale, self.path, self.params)


def link(locale: Locale, path: str, params: Pairs = ()) -> str:
    """Return an address under a locale's prefix; the parts of the path are quoted, slashes kept."""
    query = urlencode(list(params))
    return f"/{locale}{quote(path)}" + (f"?{query}" if query else "")


def locale_of(path: str) -> Locale | None:
    """Return the locale that an address names, or None."""
    return next((locale for locale in locales() if path == f"/{locale}" or path.startswith(f"/{locale}/")), None)


def page_of(request: Request) -> PageRequest:
    """Return the requested page: its locale from the path, else from Accept-Language."""
    path = request.url.path
    locale = locale_of(path)
    if locale is not None:
        return PageRequest(request, locale, path.removeprefix(f"/{locale}") or "/", negotiated=False)
    return PageRequest(request, negotiate_locale(request.headers.get("accept-language", "")), path, negotiated=True)


def endpoint(
    handler: Callable[[PageRequest], Response], names_read: Collection[str] | None = None
) -> Callable[[Request], Response]:
    """Return a page handler as the router's endpoint; it runs in a thread, since the database calls block."""

    def answer(request: Request) -> Response:
        page = replace(page_of(request), names_read=names_read)
        response = handler(page)
        if page.negotiated:
            response.headers.add_vary_header("Accept-Language")
        return response

    return update_wrapper(answer, handler)


def expensive_endpoint(
    handler: Callable[[PageRequest], Response], names_read: Collection[str] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page that takes long to build: it waits for a free slot before it takes a thread."""
    answer = endpoint(handler, names_read)

    async def answer_in_turn(request: Request) -> Response:
        slots: ComputationSlots = request.app.state.computation_slots
        async with slots.hold():
            return await run_in_threadpool(answer, request)

    return update_wrapper(answer_in_turn, handler)


def choice_endpoint(
    handler: Callable[[PageRequest, Mapping[str, str], tuple[str, ...]], Response],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a posted form in which rows are chosen: the values of `subject` come separately."""

    async def answer(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=500) as form:
            pairs = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
        subjects = tuple(dict.fromkeys(value for name, value in pairs if name == "subject"))
        values = {name: value for name, value in pairs if name != "subject"}
        return await run_in_threadpool(handler, page_of(request), values, subjects)

    answer.__name__ = handler.__name__
    return answer


def form_endpoint(
    handler: Callable[[PageRequest, Mapping[str, str]], Response],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a posted form; files are not accepted."""

    async def answer(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=50) as form:
            values = {name: value for name, value in form.items() if isinstance(value, str)}
        return await run_in_threadpool(handler, page_of(request), values)

    answer.__name__ = handler.__name__
    return answer


def read_cursor(page: PageRequest, name: str = "before") -> int | None:
    """Return the number at which a page of a list begins. Raises InvalidInput."""
    text = query_value(page, name)
    if text is not None and not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise InvalidInput(f"{name} must be a number", pointer=f"/{name}")
    return None if text is None else int(text)


def query_value(page: PageRequest, name: str) -> str | None:
    """Return the value of a query parameter, or None if it is missing or empty."""
    return page.request.query_params.get(name) or None
