"""One request as a page sees it: its locale, its links, and what the process shares."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, update_wrapper
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.domain.addresses import visitor
from app.domain.boards.named import boards
from app.domain.errors import InvalidInput
from app.places import Places
from app.services.operations.webstate import WebState
from web.i18n import ENGLISH, Locale, Translate, catalogue, locales, negotiate, translator

Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Page:
    """A request in one locale. `path` is the address without the locale's prefix."""

    request: Request
    locale: Locale
    path: str
    negotiated: bool

    @property
    def state(self) -> WebState:
        """What all requests of this process share."""
        state: WebState = self.request.app.state.web
        return state

    @cached_property
    def now(self) -> datetime:
        """The instant of this request, one for the whole page."""
        return self.state.now()

    @property
    def t(self) -> Translate:
        """Words in this page's locale."""
        return translator(self.locale)

    @property
    def visitor(self) -> str | None:
        """Who asks, for what each visitor has a share of; None where an address tells nothing of that."""
        client = self.request.client
        return visitor(client.host) if client else None

    @cached_property
    def params(self) -> list[tuple[str, str]]:
        """The query's pairs, as they came."""
        return list(self.request.query_params.multi_items())

    @cached_property
    def legend(self) -> dict[str, list[str]]:
        """What the marks and short words on this page mean, as far as it is written: shown at its end."""
        return {}

    def explained(self, shown: str, meaning: str, term: str = "") -> str:
        """A mark or short word, as it stands there; what it means is said at the end of the page, under `term` where
        the mark itself has a number in it. Nothing is said in a tooltip: a finger or a keyboard has none."""
        meanings = self.legend.setdefault(term or shown, [])
        if meaning not in meanings:
            meanings.append(meaning)
        return shown

    def knows(self, key: str) -> bool:
        """Whether there are words for a key."""
        return key in catalogue(self.locale).messages

    def protocol_title(self, slug: str, title: str) -> str:
        """A protocol's title in this page's locale where we know it, else as it was given."""
        return self._word(f"protocol_title.{slug}", title)

    def board_title(self, name: str) -> str:
        """A board's title in this page's locale; its name where it is none of ours."""
        board = boards().get(name)
        return name if board is None else self.spoken(board.titles)

    def spoken(self, words: Mapping[str, str]) -> str:
        """Words of a plug-in's own in this page's locale, in English where it has none."""
        return words.get(self.locale, words[ENGLISH])

    def _word(self, key: str, otherwise: str) -> str:
        return self.t(key) if self.knows(key) else otherwise

    def href(self, path: str, params: Pairs = ()) -> str:
        """A link to one of our pages, in this page's locale."""
        return link(self.locale, path, params)

    def elsewhere(self, locale: Locale) -> str:
        """This page in another locale."""
        return link(locale, self.path, self.params)


def link(locale: Locale, path: str, params: Pairs = ()) -> str:
    """An address under a locale's prefix; the path's parts are quoted, slashes kept."""
    query = urlencode(list(params))
    return f"/{locale}{quote(path)}" + (f"?{query}" if query else "")


def locale_of(path: str) -> Locale | None:
    """The locale that an address names."""
    return next((locale for locale in locales() if path == f"/{locale}" or path.startswith(f"/{locale}/")), None)


def page_of(request: Request) -> Page:
    """The page a request asks for: its locale from the path, else from Accept-Language."""
    path = request.url.path
    locale = locale_of(path)
    if locale is not None:
        return Page(request, locale, path.removeprefix(f"/{locale}") or "/", negotiated=False)
    return Page(request, negotiate(request.headers.get("accept-language", "")), path, negotiated=True)


def endpoint(handler: Callable[[Page], Response]) -> Callable[[Request], Response]:
    """A handler of pages as the router wants it; run in a thread, since the database is spoken to in turn."""

    def answer(request: Request) -> Response:
        page = page_of(request)
        response = handler(page)
        if page.negotiated:
            response.headers.add_vary_header("Accept-Language")
        return response

    return update_wrapper(answer, handler)


def dear_endpoint(handler: Callable[[Page], Response]) -> Callable[[Request], Awaitable[Response]]:
    """A handler of pages that take long to make: a thread has it only once there is a place."""
    answer = endpoint(handler)

    async def answer_in_turn(request: Request) -> Response:
        places: Places = request.app.state.places
        async with places.one():
            return await run_in_threadpool(answer, request)

    return update_wrapper(answer_in_turn, handler)


def choice_endpoint(
    handler: Callable[[Page, Mapping[str, str], tuple[str, ...]], Response],
) -> Callable[[Request], Awaitable[Response]]:
    """A handler of a posted form in which rows are chosen: every value of `subject`, apart from the rest."""

    async def answer(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=500) as form:
            pairs = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
        subjects = tuple(dict.fromkeys(value for name, value in pairs if name == "subject"))
        values = {name: value for name, value in pairs if name != "subject"}
        return await run_in_threadpool(handler, page_of(request), values, subjects)

    answer.__name__ = handler.__name__
    return answer


def form_endpoint(handler: Callable[[Page, Mapping[str, str]], Response]) -> Callable[[Request], Awaitable[Response]]:
    """A handler of a posted form; files are not taken."""

    async def answer(request: Request) -> Response:
        async with request.form(max_files=0, max_fields=50) as form:
            values = {name: value for name, value in form.items() if isinstance(value, str)}
        return await run_in_threadpool(handler, page_of(request), values)

    answer.__name__ = handler.__name__
    return answer


def cursor(page: Page, name: str = "before") -> int | None:
    """The number at which a page of a list begins. Raises InvalidInput."""
    text = one(page, name)
    if text is not None and not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise InvalidInput(f"{name} must be a number", pointer=f"/{name}")
    return None if text is None else int(text)


def one(page: Page, name: str) -> str | None:
    """The value of a name of the URL; empty means not given."""
    return page.request.query_params.get(name) or None
