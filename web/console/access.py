"""Access to the console: the member who asks, and the checks of a form (session, token, and a sender of this site)."""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.domain.errors import (
    AddressRefused,
    Conflict,
    Forbidden,
    InvalidInput,
    NotAuthenticated,
    PreconditionFailed,
    PreconditionMissing,
    RateLimited,
    TidemarkError,
    Unavailable,
)
from app.domain.states import MemberRole
from app.services.vendors.console import sign_in
from app.services.vendors.console.sign_in import Caller, ConsoleMember, ConsoleToken
from web.console.forms import ConsoleForm
from web.context import PageRequest, expensive_endpoint, page_of
from web.context import endpoint as cheap_endpoint
from web.render import render
from workers.net import look_up_url

NO_STORE: Final = {"Cache-Control": "no-store"}
SIGN_IN: Final = "/console/sign-in"
SECOND_FACTOR: Final = "/console/second-factor"
_MAX_FIELDS: Final = 300
# What a person can mend on the page itself; everything else is a page of its own.
_MENDABLE: Final = (
    (AddressRefused, 422),
    (InvalidInput, 422),
    (Conflict, 409),
    (PreconditionFailed, 412),
    (PreconditionMissing, 428),
    (RateLimited, 429),
    (Unavailable, 503),
)
_MAX_ADDRESS_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a form: `done` is the code of a sentence; `refused` says why not, and `form` is what was typed.

    `shown` is shown once, such as a new key. `report` is a result that changed nothing.
    """

    done: str = ""
    refused: str = ""
    form: ConsoleForm = field(default_factory=ConsoleForm)
    shown: tuple[str, ...] = ()
    report: Any = None


@dataclass(frozen=True, slots=True)
class NextPage:
    """A form that succeeded and leads to a page, which says the sentence of a code."""

    path: str
    code: str


View = Callable[[PageRequest, ConsoleMember, Outcome], Response]
Act = Callable[[PageRequest, ConsoleMember, ConsoleForm], NextPage | Outcome]


@dataclass(frozen=True, slots=True)
class ConsolePage:
    """A page of members and the forms on it, by the value of their field `act`."""

    path: str
    view: View
    acts: Mapping[str, Act] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # the parameters that it reads from its address, beside `done`
    looked_up: Mapping[str, str] = field(default_factory=dict)  # forms with the field whose address is looked up
    is_expensive: bool = False


def is_https(page: PageRequest) -> bool:
    """Return whether browsers reach this site by https; the configured public address says so behind a proxy."""
    return "https" in {page.request.url.scheme, page.state.public_url.partition(":")[0]}


def cookie_name(page: PageRequest) -> str:
    """Return the name of the console's cookie: by https one that no other host can set."""
    return "__Host-tidemark_console" if is_https(page) else "tidemark_console"


def cookie_token(page: PageRequest) -> str:
    """Return the token of the console's cookie; empty without one."""
    return page.request.cookies.get(cookie_name(page), "")


def set_cookie(page: PageRequest, answer: Response, token: ConsoleToken) -> None:
    """Give a browser its session."""
    answer.set_cookie(
        cookie_name(page), token.token, max_age=int((token.expires_at - page.now).total_seconds()), path="/",
        httponly=True, samesite="lax", secure=is_https(page),
    )  # fmt: skip


def caller_of(page: PageRequest) -> Caller:
    """Return the browser that asks."""
    client = page.request.client
    return Caller(client.host if client else "", page.request.headers.get("user-agent", ""))


def find_member(page: PageRequest) -> ConsoleMember | None:
    """Return the signed-in member, whose session is then used; None without one."""
    token = cookie_token(page)
    if not token:
        return None
    with page.state.sessions.begin() as session:
        return sign_in.find_session(session, token, page.now)


def check_sender(page: PageRequest) -> None:
    """Raise Forbidden for a form that another site sent."""
    headers = page.request.headers
    site, origin = headers.get("sec-fetch-site", "same-origin"), headers.get("origin", "")
    hosts = {headers.get("host", ""), urlsplit(page.state.public_url).netloc}
    if site not in {"same-origin", "none"} or (origin and urlsplit(origin).netloc not in hosts):
        raise Forbidden("this form was sent by another site")


def check_form(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> None:
    """Raise Forbidden unless the form is one of the member's own session."""
    check_sender(page)
    if not hmac.compare_digest(who.csrf.encode(), form.raw("csrf").encode("utf-8", "replace")):
        raise Forbidden("this form has expired; reload the page")


def redirect(page: PageRequest, path: str, code: str = "") -> RedirectResponse:
    """Return a redirect to one of our pages after a form."""
    return RedirectResponse(page.href(path, [("done", code)] if code else ()), status_code=303, headers=NO_STORE)


def view_endpoint(console_page: ConsolePage) -> Callable[[Request], Any]:
    """Return the endpoint of a page: without a session it leads to the sign-in."""

    def answer(page: PageRequest) -> Response:
        who = find_member(page)
        if who is None or not who.complete:
            return redirect(page, SIGN_IN if who is None else SECOND_FACTOR)
        here = page.request.headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
        code = page.request.query_params.get("done", "") if here else ""
        done = code if page.knows(f"console.done.{code}") else ""
        return console_page.view(page, who, Outcome(done=done))

    answer.__name__ = console_page.view.__name__
    build = expensive_endpoint if console_page.is_expensive else cheap_endpoint
    return build(answer, ("done", *console_page.names))


def act_endpoint(console_page: ConsolePage) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page's forms; a refusal shows the page again with what was typed."""

    def admit(page: PageRequest, form: ConsoleForm) -> tuple[ConsoleMember, Act]:
        who = find_member(page)
        if who is None or not who.complete:
            raise NotAuthenticated("Sign in to the console first.")
        check_form(page, who, form)
        act = console_page.acts.get(form.get("act"))
        if act is None:
            raise Forbidden("this form is unknown; reload the page")
        return who, act

    def perform(
        page: PageRequest, who: ConsoleMember, act: Act, form: ConsoleForm, refused: AddressRefused | None
    ) -> Response:
        try:
            if refused is not None:
                raise refused
            result = act(page, who, form)
        except TidemarkError as refusal:
            status = status_of(refusal)
            if status is None:
                raise
            shown = console_page.view(page, who, Outcome(refused=str(refusal), form=form))
            shown.status_code = status
            return shown
        return (
            redirect(page, result.path, result.code)
            if isinstance(result, NextPage)
            else console_page.view(page, who, result)
        )

    async def answer(request: Request) -> Response:
        page, form = page_of(request), await _read_form(request)
        who, act = await run_in_threadpool(admit, page, form)
        refused = await _find_refusal(page, who, form.get(console_page.looked_up.get(form.get("act"), "")))
        return await run_in_threadpool(perform, page, who, act, form, refused)

    return answer


async def _find_refusal(page: PageRequest, who: ConsoleMember, address: str) -> AddressRefused | None:
    """Return why an address may not be asked; None for a person who may write none, or for one that no form takes.

    The resolver may take seconds, so that no thread waits for it.
    """
    if not address or len(address) > _MAX_ADDRESS_CHARS or not who.may(MemberRole.MEMBER):
        return None
    try:
        await look_up_url(address, page.request.app.state.settings.endpoint_allow)
    except AddressRefused as refused:
        return refused
    return None


def form_endpoint(handler: Callable[[PageRequest, ConsoleForm], Response]) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a form that needs no session."""

    async def answer(request: Request) -> Response:
        return await run_in_threadpool(handler, page_of(request), await _read_form(request))

    answer.__name__ = handler.__name__
    return answer


async def _read_form(request: Request) -> ConsoleForm:
    """Return the fields of a form, which may come several times; files are not accepted."""
    async with request.form(max_files=0, max_fields=_MAX_FIELDS) as sent:
        fields: dict[str, tuple[str, ...]] = {}
        for name, value in sent.multi_items():
            if isinstance(value, str):
                fields[name] = (*fields.get(name, ()), value)
    return ConsoleForm(fields)


def status_of(refusal: TidemarkError) -> int | None:
    """Return the status of a refusal that the page itself shows; None for one that is a page of its own."""
    return next((status for kind, status in _MENDABLE if isinstance(refusal, kind)), None)


def show(page: PageRequest, who: ConsoleMember, template: str, outcome: Outcome, **values: Any) -> Response:
    """Render a page of the console; browsers keep no copy."""
    return render(page, f"console/{template}", headers=NO_STORE, who=who, outcome=outcome, form=outcome.form, **values)
