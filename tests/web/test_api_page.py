"""The API's page: made of the OpenAPI document, in both languages, with calls that run as they stand."""

import re
import subprocess
import sys
from datetime import date
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from factories import World
from httpx import Client

from app.api.problem_json import status_by_code
from app.domain.judging.verdicts import Verdict
from web.i18n import ENGLISH, Locale, catalogue

PUBLIC_URL = "http://127.0.0.1:8321"


def read(client: Client, locale: str) -> BeautifulSoup:
    """The page as a tree."""
    return BeautifulSoup(client.get(f"/{locale}/docs/api").text, "lxml")


def operations(document: Any) -> dict[str, Any]:
    """The operations of the document, by operationId."""
    return {each["operationId"]: each for item in document["paths"].values() for each in item.values()}


def words(page: Any, selector: str) -> list[str]:
    """The texts of some elements."""
    assert isinstance(page, Tag)
    return [part.get_text() for part in page.select(selector)]


def test_every_operation_stands_there_once_and_shared_parameters_above_all(client: Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    page = read(client, "en")
    found = operations(document)
    assert sorted(part["id"] for part in page.select(".inside")) == sorted(found)
    shared = page.find(id="shared").find_parent("section")  # type: ignore[union-attr]
    assert {"from", "to", "protocol", "ref", "cursor", "limit", "Idempotency-Key"} <= set(words(shared, "th code"))
    for name, operation in found.items():
        part = page.find(id=name)
        assert part is not None
        for parameter in operation.get("parameters", ()):
            assert parameter["name"] in words(part, "code"), (name, parameter["name"])
    own = page.find(id="get_board")
    assert own is not None
    assert words(own, "th code") == ["name"], "what many take stands above them all"
    budget = page.find(id="set_budget")
    assert budget is not None
    assert "submissions:write" in words(budget, "code")
    assert '"usd"' in budget.get_text()
    errors = page.find(id="errors").find_parent("section")  # type: ignore[union-attr]
    assert dict(zip(words(errors, "th code"), words(errors, "td.num"), strict=True)) == {
        code: str(status) for code, status in status_by_code().items()
    }


def test_the_catalogues_hold_the_words_of_each_operation_parameter_and_field_and_no_others(client: Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    found, schemas = operations(document), document["components"]["schemas"]
    known = {key for key in catalogue(ENGLISH).messages if key.startswith("api.")}
    assert {f"api.op.{name}" for name in found} == {key for key in known if key.startswith("api.op.")}
    parameters = {(name, one["name"]) for name, each in found.items() for one in each.get("parameters", ())}
    general = {key.removeprefix("api.param.") for key in known if key.startswith("api.param.")}
    assert general == {parameter for _, parameter in parameters}
    single = {tuple(key.split(".")[1::2]) for key in known if key.split(".")[2:3] == ["param"]}
    assert single <= parameters
    bodies = {
        each["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for each in found.values()
        if "requestBody" in each
    }
    fields = {name for body in bodies for name in schemas[body]["properties"]}
    assert {key.split(".")[2] for key in known if key.startswith("api.field.")} == fields
    assert {key.removeprefix("api.error.") for key in known if key.startswith("api.error.")} == set(status_by_code())


def test_the_examples_run_as_they_stand(world: World, client: Client) -> None:
    problem = world.problem("a", day=date(2026, 6, 1))
    world.answer(world.run("orion"), problem)
    world.answer(world.run("lyra"), problem, Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()
    page = read(client, "en")
    program = page.select_one("pre.python")
    assert program is not None
    text = program.get_text().replace(PUBLIC_URL, str(client.base_url).rstrip("/"))
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "1 orion 100.0\n2 lyra 0.0\n"
    vendor = page.select("pre.python")[-1].get_text()
    compile(vendor, "example", "exec")
    assert '"endpoint": endpoint["id"]' in vendor
    calls = {part["id"]: part.select_one("pre").get_text() for part in page.select(".inside")}  # type: ignore[union-attr]
    answered = []
    for name in ("get_board", "get_model", "get_problem", "list_models", "get_board_csv", "get_holistic", "get_status",
                 "compare_rows"):  # fmt: skip
        address = re.search(r'"(http[^"]*)"', calls[name])
        assert address is not None, name
        answered.append(client.get(address[1].removeprefix(PUBLIC_URL)).status_code)
    assert answered == [200] * 8
    shown = operations(client.get("/api/v1/openapi.json").json())["get_model"]["responses"]["200"]["content"]
    answer = page.find(id="get_model").select_one("pre.answer")  # type: ignore[union-attr]
    assert answer is not None
    assert str(shown["application/json"]["example"]["slug"]) in answer.get_text()


@pytest.mark.parametrize(
    "path", ["/docs/api", "/method", "/about", "/contamination", "/changes", "/status", "/snapshots", "/cite"]
)
def test_the_chinese_page_is_chinese(world: World, client: Client, path: str) -> None:
    """At most a tenth of the words are in Latin letters, outside code and names."""
    world.answer(world.run("orion"), world.problem("a", day=date(2026, 6, 1)))
    world.count()
    world.session.commit()
    page = BeautifulSoup(client.get(f"/zh{path}").text, "lxml")
    for part in page.select("code, pre, math, [lang=en], tbody th a, .wordmark"):
        part.decompose()
    text = page.body.get_text(" ")  # type: ignore[union-attr]
    latin, chinese = re.findall(r"[A-Za-z]{2,}", text), re.findall(r"[\u4e00-\u9fff]", text)
    assert len(chinese) > 50
    assert len(latin) <= 0.1 * (len(latin) + len(chinese)), latin
    assert Locale("zh") in client.get(f"/zh{path}").headers["content-language"]
