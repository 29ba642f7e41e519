"""The API answers as its own description says, whatever a caller sends that the description allows."""

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import (
    content_type_conformance,
    load_all_checks,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok
from support.vendors import Vendor

pytestmark = pytest.mark.slow

_BY_CHANCE = settings(max_examples=20, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
# It says what is missing in words of its own, and here no worker runs.
_NOT_READY = {"/readyz"}


def test_each_answer_is_one_that_the_description_names(url: str, vendor: Vendor) -> None:
    load_all_checks()
    document = httpx.get(f"{url}/api/v1/openapi.json", timeout=120).json()
    boards = [board["name"] for board in httpx.get(f"{url}/api/v1/boards", timeout=120).json()["boards"]]
    described = schemathesis.openapi.from_dict(document)
    described.config.update(base_url=url)
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    key = {"Authorization": f"Bearer {vendor.key}"}
    asked: set[str] = set()
    for result in described.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path in _NOT_READY:
            continue

        @_BY_CHANCE
        @given(case=operation.as_strategy(), board=st.sampled_from(boards))
        def ask(case: Case[Any], board: str) -> None:
            if "/boards/{name}" in case.path:
                case.path_parameters["name"] = board
            case.validate_response(case.call(headers=key, timeout=120), checks=checks)
            asked.add(case.path)

        ask()
    assert asked == set(document["paths"]) - _NOT_READY
