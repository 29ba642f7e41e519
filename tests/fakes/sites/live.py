"""A fake site whose every answer follows from the simulated time, with a log that can be counted by its days."""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable
from datetime import date, datetime

from fakes.fake_site import Asked, FakeSite, Reply
from fakes.world import Clock

Answer = Callable[[Asked], Reply]


class LiveSite(FakeSite):
    """Serves what `answer` says at the simulated time; what is put into `pages` comes before it."""

    def __init__(self, answer: Answer, clock: Clock) -> None:
        super().__init__()
        self._answer = answer
        self.log: list[tuple[datetime, Asked]] = []
        self._clock = clock

    def __enter__(self) -> "LiveSite":
        super().__enter__()
        return self

    def answer(self, asked: Asked) -> Reply:
        """The reply to one request, recorded with the simulated time of its arrival."""
        self.log.append((self._clock(), asked))
        if asked.path not in self.pages:
            self.pages.setdefault(asked.path.partition("?")[0], self._answer)
        return super().answer(asked)

    def per_day(self) -> Counter[date]:
        """How many requests came on each simulated day, robots.txt among them."""
        return Counter(when.date() for when, _ in self.log)


class Cache:
    """Replies by what they depend on, made once."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Reply] = {}

    def reply(self, key: Hashable, make: Callable[[], str], media: str = "text/html", *, static: bool = False) -> Reply:
        """The reply of that key; a static file has a validator."""
        found = self._made.get(key)
        if found is None:
            body = make().encode()
            headers = {"Content-Type": f"{media}; charset=utf-8"}
            if static:
                headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            found = self._made[key] = Reply(body, headers=headers)
        return found


def not_found() -> Reply:
    """A page that is not there."""
    page = b"<!DOCTYPE html><html><head><title>Not Found</title></head><body><h1>404 Page Not Found</h1></body></html>"
    return Reply(page, 404, {"Content-Type": "text/html; charset=utf-8"})


def sign_in() -> Reply:
    """The form a stranger is sent to."""
    page = (b"<!DOCTYPE html><html><head><title>Sign In</title></head><body><form method=post action='/login'>"
            b"<input name=username><input type=password name=password></form></body></html>")  # fmt: skip
    return Reply(page, headers={"Content-Type": "text/html; charset=utf-8"})


ROBOTS = Reply(b"User-agent: *\nDisallow: /submit\nDisallow: /*/submit\n", headers={"Content-Type": "text/plain"})
