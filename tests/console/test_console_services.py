"""What the console does over the services of vendors: probes, forecasts, orders, models, webhooks and disputes."""

import re
from datetime import timedelta

import pytest
from factories import NOW
from sqlalchemy import select
from support.console import DISPUTE, ENDPOINT, MODEL, Join, Person, open_dispute, order, set_up_model, set_up_webhook

from app.db.kernel.session import SessionMaker
from app.db.tables import AuditEntry, Endpoint, Model, Submission
from app.domain.asking.promises import Promise
from app.domain.probing.checks import CheckResult, CheckStatus, EndpointCheck, ProbeReport
from app.domain.reasons import Reason
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import probes


def finish_probe(sessions: SessionMaker, vault: Vault, *checks: CheckResult) -> None:
    """Make the waiting probe as a worker would, with these checks."""
    with sessions.begin() as session:
        job = probes.claim_probe(session, NOW, vault)
        assert job is not None
        assert probes.record_probe(session, job, ProbeReport(checks, len(checks)), NOW)


def etag(person: Person, path: str) -> str:
    found = re.search(r'name="etag" value="&#34;(\w+)&#34;"', person.get(path).text)
    assert found is not None
    return f'"{found[1]}"'


def test_a_probe_runs_while_its_page_waits_and_says_what_to_mend(
    join: Join, sessions: SessionMaker, vault: Vault
) -> None:
    person = join(role="member")
    number, _ = set_up_model(person)
    path = f"/endpoints/{number}"
    assert "not probed yet" in person.get(path).text
    assert person.post(path, "probe", protocol="fresh").status_code == 303
    waiting = person.get(path).text
    assert "data-poll" in waiting
    assert "The probe waits for a worker" in waiting
    again = person.post(path, "probe", protocol="fresh")
    assert (again.status_code, "being probed already" in again.text) == (409, True)
    assert person.post(path, "probe", protocol="no-such").status_code == 422
    mend = Reason("endpoint_stopped")
    finish_probe(
        sessions, vault, CheckResult(EndpointCheck.ADDRESS, CheckStatus.PASSED, "1.1.1.1"),
        CheckResult(EndpointCheck.KEY, CheckStatus.FAILED, "answered 401", mend),
    )  # fmt: skip
    shown = person.get(path).text
    assert "data-poll" not in shown
    for words in ("answered 401", str(mend), "2 requests", ">failed<"):
        assert words in shown, words
    assert person.post(path, "probe", protocol="fresh").status_code == 303, "another may follow"


def test_an_endpoint_changes_only_from_the_page_that_was_read(join: Join, sessions: SessionMaker) -> None:
    person = join()
    assert person.post("/models", "create", **MODEL).status_code == 303
    made = person.post("/endpoints", "create", **ENDPOINT, secret="sk-0123456789abcdef")
    path = made.headers["location"].partition("/console")[2].partition("?")[0]
    first = etag(person, path)
    assert (
        person.post(path, "change", base_url=ENDPOINT["base_url"], max_concurrency="3", etag=first).status_code == 303
    )
    stale = person.post(path, "change", base_url=ENDPOINT["base_url"], max_concurrency="4", etag=first)
    assert (stale.status_code, "changed meanwhile" in stale.text) == (412, True)
    moved = {"base_url": "https://1.1.1.1/v2"}
    without = person.post(path, "change", **moved, etag=etag(person, path))
    assert without.status_code == 422, "the secret is never sent to another address"
    fields = moved | {"secret": "sk-abcdef", "etag": etag(person, path)}
    assert person.post(path, "change", **fields).status_code == 303
    private = moved | {"base_url": "https://10.0.0.1/v1", "secret": "sk-abcdef", "etag": etag(person, path)}
    assert person.post(path, "change", **private).status_code == 422
    with sessions() as session:
        row = session.scalars(select(Endpoint)).one()
        assert (row.base_url, row.max_concurrency) == ("https://1.1.1.1/v2", 3)


def test_a_dry_run_says_what_an_order_would_do_and_places_nothing(join: Join, sessions: SessionMaker) -> None:
    person = join(role="member")
    number, _ = set_up_model(person)
    shown = order(person, number, act="check", once="another-0123456789")
    assert shown.status_code == 200
    for words in ("Answers now", "Would be ranked", "unknown before the endpoint has answered", "Nothing was ordered"):
        assert words in shown.text, words
    practice = order(person, number, once="practice-0123456789", protocol="practice")
    assert practice.status_code == 303
    assert ">practice<" in person.get("/orders").text
    with sessions() as session:
        kinds = [
            (row.continuous, row.visibility) for row in session.scalars(select(Submission).order_by(Submission.id))
        ]
    assert kinds == [(True, "public"), (False, "private")]


def test_an_order_is_paused_resumed_and_read(join: Join) -> None:
    person, viewer = join(role="member"), join(email="vi@example.org", role="viewer")
    _number, public_id = set_up_model(person)
    path = f"/orders/{public_id}"
    assert "Place 1 at its endpoint" in viewer.get(path).text
    assert "Ask failed samples again" not in viewer.get(path).text
    assert person.post(path, "retry").status_code == 409, "nothing failed"
    assert person.post(path, "resume").status_code == 409, "it is not paused"
    assert person.post(path, "pause").status_code == 303
    assert ">paused<" in person.get(path).text
    assert person.post(path, "resume").status_code == 303
    assert ">queued<" in person.get(path).text
    assert viewer.get(f"{path}/items?failed=1").status_code == 200
    assert viewer.get(f"{path}/items?cursor=bad").status_code == 422
    assert viewer.get(f"{path}/preview").status_code == 409, "it is not judged"


def test_a_model_is_renamed_deleted_and_withdrawn(join: Join, sessions: SessionMaker) -> None:
    owner, member = join(), join(email="bea@example.org", role="member")
    assert member.post("/models", "create", **MODEL).status_code == 303
    renamed = {"name": "Orion One", "slug": "orion-one", "etag": etag(member, "/models/orion-1")}
    assert member.post("/models/orion-1", "rename", **renamed).headers["location"].count("/models/orion-one") == 1
    assert member.post("/models/orion-one", "rename", name="Orion", etag=renamed["etag"]).status_code == 412
    assert member.post("/models/orion-one", "delete").status_code == 422, "the box is not ticked"
    assert member.post("/models/orion-one", "delete", sure="yes").status_code == 303
    assert member.get("/models/orion-one").status_code == 404
    set_up_model(owner)
    ordered = owner.post("/models/orion-1", "delete", sure="yes")
    assert (ordered.status_code, "withdraw it" in ordered.text) == (409, True)
    words = "It is no longer served."
    assert owner.post("/models/orion-1", "withdraw", sure="yes").status_code == 422, "a reason is public"
    assert owner.post("/models/orion-1", "withdraw", sure="yes", reason=words).status_code == 303
    shown = member.get("/models/orion-1").text
    assert "Withdrawn " in shown
    assert words in shown
    assert "Rename" not in shown
    with sessions() as session:
        assert session.scalars(select(Model.withdrawn_reason)).one() == words
        assert session.scalars(select(Submission.state)).one() == "cancelled"


def test_a_webhook_is_tried_rotated_and_switched(join: Join, sessions: SessionMaker) -> None:
    member, viewer = join(role="member"), join(email="vi@example.org", role="viewer")
    for url in ("http://127.0.0.1/", "https://10.0.0.1/", "ftp://1.1.1.1", "", "https://1.1.1.1/#part"):
        assert member.post("/webhooks", "create", url=url).status_code == 422, url
    assert member.post("/webhooks", "create", url="https://1.1.1.1/", event="no.such").status_code == 422
    path = set_up_webhook(member)
    assert "submission.published" in viewer.get(path).text
    assert "Show the secret" not in viewer.get(path).text

    def shown(act: str) -> str:
        return str(re.findall(r"whsec_[\w+/=]+", member.post(path, act).text)[0])

    first = shown("secret")
    assert first not in member.get(path).text
    assert shown("rotate") != first
    assert member.post(path, "test").status_code == 303
    listed = member.get(path).text
    assert "webhook.test" in listed
    event = re.findall(r'name="event" value="(evt_\w+|[\w-]+)"><button', listed)[0]
    assert member.post(path, "redeliver", event=event).status_code == 303
    assert member.post(path, "redeliver", event="evt_none").status_code == 404
    assert member.post(path, "off").status_code == 303
    off = member.post(path, "test")
    assert (off.status_code, "switch it on first" in off.text) == (409, True)
    assert member.post(path, "on").status_code == 303
    assert member.post(path, "change", url="https://1.1.1.1/other").status_code == 303
    assert "https://1.1.1.1/other" in member.get("/webhooks").text
    assert member.post(path, "delete").status_code == 422, "the box is not ticked"
    assert member.post(path, "delete", sure="yes").status_code == 303
    assert member.get(path).status_code == 404
    with sessions() as session:
        acts = {entry.action for entry in session.scalars(select(AuditEntry)) if entry.actor.startswith("member:")}
    assert {"console.webhook_secret_shown", "console.webhook_secret_rotated", "console.webhook_deleted"} <= acts


@pytest.mark.parametrize(
    "wrong",
    [{"about": "weather"}, {"text": "short"}, {"text": "x" * 4001}, {"text": "an \u202eunseen character"},
     {"about": "verdict"}, {"evidence": "javascript:alert(1)"}, {"about": "verdict", "sample": "-1"}],
)  # fmt: skip
def test_a_dispute_says_what_is_wrong_with_what(join: Join, wrong: dict[str, str]) -> None:
    person = join(role="member")
    set_up_model(person)
    refused = person.post("/disputes", "open", **(DISPUTE | wrong))
    assert refused.status_code == 422
    assert person.post("/disputes", "open", **(DISPUTE | {"model": "no-such"})).status_code == 404
    path = open_dispute(person)
    shown = person.get(path).text
    assert "The model card states an earlier day." in shown
    assert "It waits for a maintainer." in shown
    assert path.rpartition("/")[2][:12] in person.get("/disputes").text


def test_an_order_says_when_it_should_be_done_and_why_later(join: Join, sessions: SessionMaker) -> None:
    person = join()
    _number, public_id = set_up_model(person)
    later = Promise(NOW + timedelta(hours=2), NOW, 10, 0.1, Reason("endpoint_stopped"))
    with sessions.begin() as session:
        session.scalars(select(Submission)).one().promise = later.to_json()
    shown = person.get(f"/orders/{public_id}").text
    assert "Expected to be done by" in shown
    assert "Later than promised before" in shown


def test_lists_are_read_on_by_their_cursors(join: Join) -> None:
    person = join()
    set_up_model(person)
    assert person.get("/disputes?cursor=1").status_code == 200
    assert person.get("/disputes?cursor=x").status_code == 422
    assert person.get(f"{set_up_webhook(person)}?cursor=1").status_code == 200
