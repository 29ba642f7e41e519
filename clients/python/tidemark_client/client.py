"""The client: requests with retries that repeat nothing, errors as values of a type, and waiting for an order."""

import random
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, Final, Self, cast

import httpx

from tidemark_client import shapes
from tidemark_client.operations import Operations

ENDED: Final = frozenset({"published", "cancelled", "failed", "expired", "withdrawn"})
_RETRIED: Final = frozenset({429, 502, 503, 504})
_IDEMPOTENCY_KEY: Final = "Idempotency-Key"
_IF_MATCH: Final = "If-Match"
_LONGEST_REST_S: Final = 60.0


class ApiError(Exception):
    """A refusal of the service, as RFC 9457 has it: `status`, a stable `code`, `detail`, and the whole `problem`."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", "error"))
        self.detail = str(problem.get("detail") or problem.get("title") or f"the service answered {status}")
        super().__init__(f"{self.detail} ({self.code}, HTTP {status})")


class OrderFailed(Exception):
    """An order that ended otherwise than published; `order` is as it stands."""

    def __init__(self, order: shapes.SubmissionAnswer) -> None:
        self.order = order
        super().__init__(f"order {order['id']} is {order['state']}: {order['state_reason'] or 'no reason is known'}")


class WaitedTooLong(Exception):
    """An order that had not ended in time; `order` is as it stands."""

    def __init__(self, order: shapes.SubmissionAnswer, seconds: float) -> None:
        self.order = order
        super().__init__(f"order {order['id']} is still {order['state']} after {seconds:.0f} s")


class Client(Operations):
    """A service at `base_url`, asked with an API key.

    A request that fails on the way, or is answered with 429, 502, 503 or 504, is sent again up to `retries` times,
    after `Retry-After` if that is given. Each POST carries an Idempotency-Key, so that a repeat orders nothing twice.
    A change carries the ETag of what this client last read under the same id, unless `if_match` is given: read a thing
    before you change it. `sleep` is called between attempts.
    """

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        timeout_s: float = 60.0,
        retries: int = 4,
        transport: httpx.BaseTransport | None = None,
        verify: Any = True,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._http = httpx.Client(
            base_url=base_url.rstrip("/"), headers=headers, timeout=timeout_s, transport=transport, verify=verify
        )
        self._retries, self._sleep = retries, sleep
        self._etags: dict[str, str] = {}  # of what was read, by path
        self._sender = self

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close its connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(
        self, method: str, path: str, *, query: dict[str, Any], headers: dict[str, str | None], body: Any = None
    ) -> Any:
        """Return the decoded JSON answer, None if there is none. Raises ApiError, and httpx.HTTPError for the network.

        What is None is left out of the query and the headers.
        """
        named = {name: value for name, value in headers.items() if value is not None}
        if _IDEMPOTENCY_KEY in headers:
            named.setdefault(_IDEMPOTENCY_KEY, str(uuid.uuid4()))
        if _IF_MATCH in headers and path in self._etags:
            named.setdefault(_IF_MATCH, self._etags[path])
        asked = {name: value for name, value in query.items() if value is not None}
        answer = self._send_patiently(method, path, asked, named, body)
        if answer.is_success:
            if "etag" in answer.headers:
                self._etags[path] = answer.headers["etag"]
            return answer.json() if answer.content else None
        raise ApiError(answer.status_code, _problem(answer))

    def _send_patiently(
        self, method: str, path: str, query: dict[str, Any], headers: dict[str, str], body: Any
    ) -> httpx.Response:
        is_repeatable = method == "GET" or _IDEMPOTENCY_KEY in headers
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries or not is_repeatable
            try:
                answer = self._http.request(method, path, params=query, headers=headers, json=body)
            except httpx.TransportError:
                if is_last:
                    raise
                self._rest(attempt, None)
                continue
            if is_last or not (answer.status_code in _RETRIED or _is_in_progress(answer)):
                return answer
            self._rest(attempt, answer.headers.get("retry-after"))
        raise AssertionError("the last attempt returns or raises")

    def _rest(self, attempt: int, asked: str | None) -> None:
        shortest = 0.5 * 2**attempt * (1 + random.random() / 4)  # noqa: S311  # spreads clients, no secret
        wanted = float(asked) if asked and asked.isdecimal() else 0.0
        self._sleep(min(max(shortest, wanted), _LONGEST_REST_S))

    def forecast(self, body: shapes.SubmissionBody) -> shapes.DryRun:
        """Return what an order would do, without placing it: its samples, cost, hours, and whether it would rank."""
        return cast("shapes.DryRun", self.create_submission(body, dry_run=True))

    def wait(
        self,
        order: str,
        *,
        timeout_s: float | None = None,
        every_s: float = 5.0,
        tell: Callable[[shapes.SubmissionAnswer], None] = lambda _: None,
    ) -> shapes.SubmissionAnswer:
        """Return an order once it is published. `tell` gets it at the beginning and after each change.

        Raises OrderFailed if it ended in another way, and WaitedTooLong after `timeout_s` seconds.
        """
        began, before = time.monotonic(), None
        while True:
            found = self.get_submission(order)
            if found != before:
                tell(found)
                before = found
            if found["state"] == "published":
                return found
            if found["state"] in ENDED:
                raise OrderFailed(found)
            waited = time.monotonic() - began
            if timeout_s is not None and waited >= timeout_s:
                raise WaitedTooLong(found, waited)
            self._sleep(every_s)

    def all(self, page: Callable[..., Any], **fields: Any) -> Iterator[Any]:
        """Yield the rows of a list from its first page to its last: `client.all(client.list_submissions)`."""
        cursor = None
        while True:
            found = page(cursor=cursor, **fields)
            yield from found["data"]
            if not found["data"] or found["next_cursor"] in (None, cursor):
                return
            cursor = found["next_cursor"]


def _is_in_progress(answer: httpx.Response) -> bool:
    return answer.status_code == httpx.codes.CONFLICT and _problem(answer).get("code") == "in_progress"


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError:
        return {"title": answer.reason_phrase}
    return found if isinstance(found, dict) else {"title": answer.reason_phrase}
