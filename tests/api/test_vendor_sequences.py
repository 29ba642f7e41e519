"""Sequences of calls by chance over the API's document: what one answer names, the next call asks for."""

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis import Case
from schemathesis.checks import CHECKS, load_all_checks
from served import served
from support.orders import site_of
from support.vendors import Vendor

from workers.context import Context

# The document names no rule that needs more than the schema of one field: what fits it may be refused.
LEFT_OUT = {"positive_data_acceptance"}
VENDORS = itertools.count()


@pytest.fixture
def app(ctx: Context) -> FastAPI:
    unlimited = {"key_requests_per_minute": 0, "failed_keys_per_minute": 0, "all_failed_keys_per_minute": 0}
    return site_of(Context(ctx.settings.model_copy(update=unlimited), ctx.sessions, ctx.wake))


@pytest.fixture
def site(ctx: Context, app: FastAPI) -> Iterator[tuple[Context, FastAPI, str]]:
    with served(app) as url:
        yield ctx, app, url


def walk(ctx: Context, app: FastAPI, url: str, runs: int, steps: int) -> int:
    """The number of calls of vendors' operations that were made; each answer passed all checks.

    Each walk is that of a new vendor. A run ends early where what is stored makes another answer of the same call:
    Hypothesis then cannot repeat what it drew. That is no fault of an answer, and another run begins.
    """
    load_all_checks()
    checks: list[Any] = [check for check in CHECKS.get_all() if check.__name__ not in LEFT_OUT]
    described = schemathesis.openapi.from_dict(app.openapi()).include(path_regex="^/api/v1/vendor/")
    described.config.update(base_url=url)
    made, faults = 0, list[Exception]()

    class Walk(described.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            name = "qo" + "".join("abcdefghkw"[int(digit)] for digit in str(next(VENDORS)))
            self.vendor = Vendor(ctx, url, name)
            self.vendor.model(name)
            self.vendor.submit(self.vendor.endpoint("https://93.184.216.34/v1", name))

        def teardown(self) -> None:
            self.vendor.client.close()

        def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
            if "/probe" in case.path and case.method.upper() == "POST":
                case.query = dict(case.query or {}) | {"wait_s": 0}
            return {"headers": {"Authorization": f"Bearer {self.vendor.key}"}, "timeout": 120}

        def validate_response(self, response: Any, case: Case[Any], **_options: Any) -> None:
            nonlocal made
            made += 1
            try:
                case.validate_response(response, checks=checks)
            except Exception as fault:
                faults.append(fault)
                raise

    for _ in range(runs):
        with contextlib.suppress(FlakyStrategyDefinition):
            Walk.run(
                settings=settings(
                    max_examples=5, stateful_step_count=steps, database=None, phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                ),
            )  # fmt: skip
    assert faults == []
    return made


def test_no_sequence_of_calls_meets_a_failure_or_an_answer_that_is_not_declared(
    site: tuple[Context, FastAPI, str],
) -> None:
    assert walk(*site, runs=1, steps=8) >= 4


@pytest.mark.slow
def test_no_long_sequence_of_calls_does_either(site: tuple[Context, FastAPI, str]) -> None:
    assert walk(*site, runs=15, steps=15) >= 100
