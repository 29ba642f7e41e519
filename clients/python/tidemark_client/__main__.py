"""Orders from the command line: `tidemark-client submit --model orion-1 --endpoint 1 --continuous --wait --json`.

The address and the key come from TIDEMARK_URL and TIDEMARK_KEY. Exit status: 0 if all went well, 1 if the service
refused or an order failed, 2 for a wrong command line, 3 if an order had not ended in time.
"""

import argparse
import json
import os
import sys
from typing import Any

import httpx

from tidemark_client import shapes
from tidemark_client.client import ApiError, Client, OrderFailed, WaitedTooLong

FAILED, WRONG, LATE = 1, 2, 3


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    given = make_parser().parse_args(arguments)
    if not given.url or not given.key:
        return _fail("set TIDEMARK_URL and TIDEMARK_KEY, or give --url and --key", WRONG)
    with Client(given.url, given.key) as client:
        try:
            found = given.run(client, given)
        except WaitedTooLong as late:
            _print_order(late.order, given.json)
            return _fail(late, LATE)
        except OrderFailed as failed:
            _print_order(failed.order, given.json)
            return _fail(failed, FAILED)
        except (ApiError, httpx.HTTPError) as refused:
            return _fail(refused, FAILED)
    _print_order(found, given.json)
    return 0


def _fail(error: object, status: int) -> int:
    sys.stderr.write(f"tidemark-client: {error}\n")
    return status


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser("tidemark-client", description="Orders at a Tidemark service.")
    parser.add_argument("--url", default=os.environ.get("TIDEMARK_URL"), help="the service (or TIDEMARK_URL)")
    parser.add_argument("--key", default=os.environ.get("TIDEMARK_KEY"), help="an API key (or TIDEMARK_KEY)")
    commands = parser.add_subparsers(required=True)
    submit = commands.add_parser("submit", help="order that a model be judged")
    submit.add_argument("--endpoint", required=True, help="the id of an endpoint of yours")
    submit.add_argument("--protocol", default="fresh", help="the protocol to run under (fresh unless given)")
    submit.add_argument("--from", dest="start", metavar="DAY", help="the first release day of the problems")
    submit.add_argument("--to", dest="end", metavar="DAY", help="the day after the last one")
    submit.add_argument("--continuous", action="store_true", help="every problem from today on, in place of a window")
    submit.add_argument("--private", action="store_true", help="show the results to you alone")
    submit.add_argument("--budget", metavar="USD", help="US dollars that it may cost")
    submit.add_argument(
        "--configuration", default={}, type=json.loads, metavar="JSON", help="fields sent with every request"
    )
    submit.add_argument("--idempotency-key", help="a name of this order: the same name orders it once")
    _add_waiting(submit)
    submit.set_defaults(run=_submit)
    for name, run, words in (
        ("status", _status, "show an order"),
        ("wait", _wait, "wait until an order is published"),
        ("cancel", _cancel, "cancel an order"),
    ):
        command = commands.add_parser(name, help=words)
        command.add_argument("order", help="its id, sub_...")
        _add_waiting(command)
        command.set_defaults(run=run)
    return parser


def _add_waiting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", action="store_true", help="return only once the order has ended")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="the longest to wait")
    parser.add_argument(
        "--every", type=float, default=5.0, metavar="SECONDS", help="between two looks (5 unless given)"
    )
    parser.add_argument("--json", action="store_true", help="print the order as JSON")


def _submit(client: Client, given: argparse.Namespace) -> shapes.SubmissionAnswer:
    body: dict[str, Any] = {
        "endpoint": int(given.endpoint) if given.endpoint.isdecimal() else given.endpoint,
        "protocol": given.protocol,
        "configuration": given.configuration,
        "continuous": given.continuous,
        "visibility": "private" if given.private else "public",
    }
    if given.start or given.end:
        body["window"] = {"from": given.start, "to": given.end}
    if given.budget:
        body["budget_usd"] = given.budget
    order = client.create_submission(body, idempotency_key=given.idempotency_key)  # type: ignore[arg-type]
    return _waited(client, given, order)


def _status(client: Client, given: argparse.Namespace) -> shapes.SubmissionAnswer:
    return _waited(client, given, client.get_submission(given.order))


def _wait(client: Client, given: argparse.Namespace) -> shapes.SubmissionAnswer:
    given.wait = True
    return _status(client, given)


def _cancel(client: Client, given: argparse.Namespace) -> shapes.SubmissionAnswer:
    return client.cancel_submission(given.order)


def _waited(client: Client, given: argparse.Namespace, order: shapes.SubmissionAnswer) -> shapes.SubmissionAnswer:
    if not given.wait:
        return order
    return client.wait(order["id"], timeout_s=given.timeout, every_s=given.every, tell=_tell)


def _tell(order: shapes.SubmissionAnswer) -> None:
    progress = order["progress"]
    counts = f", {progress['judged']}/{progress['total']} judged" if progress else ""
    reason = f": {order['state_reason']}" if order["state_reason"] else ""
    sys.stderr.write(f"{order['id']} {order['state']}{counts}{reason}\n")
    sys.stderr.flush()


def _print_order(order: shapes.SubmissionAnswer, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(order, indent=1, ensure_ascii=False) + "\n")
    else:
        _tell(order)


if __name__ == "__main__":
    sys.exit(main())
