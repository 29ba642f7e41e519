"""A person of a vendor in the console: a browser that joins, signs in and sends forms."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pyotp
from factories import NOW
from httpx import Client, Response

from app.db.kernel.session import SessionMaker
from app.services.vendors.console import members

Join = Callable[..., "Person"]
PASSWORD = "tide tables of Brest"
Fields = dict[str, str | list[str]]
MODEL = {"name": "Orion 1", "slug": "orion-1"}
ENDPOINT = {"model": "orion-1", "protocol": "openai_chat", "remote_name": "orion-1", "base_url": "https://1.1.1.1/v1"}

WEBHOOK: Fields = {"url": "https://1.1.1.1/hook", "event": ["submission.published", "key.expiring"]}
DISPUTE: Fields = {"about": "cutoff", "model": "orion-1", "text": "The model card states an earlier day."}


@dataclass
class Clock:
    """The time of the site under test."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_time(self, **span: float) -> None:
        self.now += timedelta(**span)


@dataclass
class Person:
    """A person with a browser, an authenticator app and recovery codes."""

    client: Client
    clock: Clock
    organisation: str
    email: str
    password: str = PASSWORD
    secret: str = ""
    codes: list[str] = field(default_factory=list)

    @property
    def cookie(self) -> str:
        return self.client.cookies.get("tidemark_console") or ""

    def get(self, path: str = "") -> Response:
        return self.client.get(f"/en/console{path}")

    def csrf(self, path: str = "") -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', self.get(path).text)
        assert found is not None, path
        return found[1]

    def post(self, path: str, act: str = "", **fields: str | list[str]) -> Response:
        data: dict[str, str | list[str]] = {"csrf": self.csrf(path), "act": act}
        return self.client.post(f"/en/console{path}", data=data | fields)

    def join(self, token: str) -> Response:
        """Accept an invitation and set up the app, as far as it goes."""
        data = {"token": token, "password": self.password, "again": self.password}
        answer = self.client.post("/en/console/join", data=data)
        if answer.status_code != 303:
            return answer
        return self.set_up()

    def set_up(self) -> Response:
        """Read the secret, and confirm it by the code that an app shows."""
        page = self.get("/second-factor").text
        found = re.search(r"<pre[^>]*>([A-Z2-7]{32})</pre>", page)
        assert found is not None
        self.secret = found[1]
        answer = self.post("/second-factor", code=self.code())
        self.codes = re.findall(r"\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b", answer.text)
        return answer

    def code(self) -> str:
        """The code that the app shows now."""
        return pyotp.TOTP(self.secret).at(self.clock.now)

    def sign_in(self, **changed: str) -> Response:
        """Send the sign-in form, with the right values unless others are given."""
        data = {"organisation": self.organisation, "email": self.email, "password": self.password}
        if "code" not in changed:
            data["code"] = self.code()
        return self.client.post("/en/console/sign-in", data=data | changed)


def invite_first(sessions: SessionMaker, organisation: str, email: str, role: str = "owner", at: datetime = NOW) -> str:
    """The token of a maintainer's invitation."""
    with sessions.begin() as session:
        return members.invite_first(session, organisation, email, role, at)


def make_person(
    client: Client, clock: Clock, sessions: SessionMaker, organisation: str, email: str, role: str = "owner"
) -> Person:
    """A member who has joined and is signed in."""
    person = Person(client, clock, organisation, email)
    answer = person.join(invite_first(sessions, organisation, email, role, clock.now))
    assert answer.status_code == 200, answer.text
    clock.pass_time(seconds=31)  # the code of the app was used
    return person


def set_up_model(person: Person) -> tuple[int, str]:
    """A model, an endpoint and an order; returns the endpoint's number and the order's id."""
    assert person.post("/models", "create", **MODEL).status_code == 303
    made = person.post("/endpoints", "create", **ENDPOINT, secret="sk-0123456789abcdef")
    assert made.status_code == 303, made.text
    number = int(re.findall(r"/endpoints/(\d+)", made.headers["location"])[0])
    placed = order(person, number)
    assert placed.status_code == 303, placed.text
    return number, re.findall(r"/orders/(sub_\w+)", placed.headers["location"])[0]


def set_up_webhook(person: Person) -> str:
    """The path of a new webhook."""
    made = person.post("/webhooks", "create", **WEBHOOK)
    assert made.status_code == 303, made.text
    return str(re.findall(r"/webhooks/whk_\w+", made.headers["location"])[0])


def open_dispute(person: Person) -> str:
    """The path of a new dispute."""
    made = person.post("/disputes", "open", **DISPUTE)
    assert made.status_code == 303, made.text
    return str(re.findall(r"/disputes/dsp_\w+", made.headers["location"])[0])


def order(person: Person, *numbers: int, act: str = "place", once: str = "0123456789abcdef", **more: str) -> Response:
    fields: dict[str, str | list[str]] = {
        "endpoint": [str(number) for number in numbers], "protocol": "fresh", "period": "continuous", "once": once,
    }  # fmt: skip
    return person.post("/orders/new", act, **(fields | more))
