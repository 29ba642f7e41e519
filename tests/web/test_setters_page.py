"""The maintainers' page of setters: who makes tests, what they answered, and what that cost."""

from factories import NOW, World
from httpx import Client
from pipeline.flow import LEASE
from support.consensus import add_setter, asked, fresh, settle

from app.db.tables import Sample
from app.domain.consensus.result import ConsensusResult
from app.domain.reasons import text_reason
from app.services.operations.access import issue_login_link
from app.services.runs.consensus import consensus_jobs, setters


def test_setters_are_shown_to_maintainers_alone(world: World, client: Client) -> None:
    add_setter(world.session, "orion", "Acme Labs")
    add_setter(world.session, "tern", "Birds")
    setters.remove(world.session, "tern", "it lies", NOW)
    world.session.commit()
    assert client.get("/en/ops/setters").status_code == 401
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    client.post("/en/login", data={"token": token}, follow_redirects=False)
    for locale, words in (("en", ("active", "removed")), ("zh", ("使用中", "已移除"))):
        page = client.get(f"/{locale}/ops/setters").text
        for shown in ("orion", "acme labs", "birds", "$0.00", *words):
            assert shown in page


def test_a_setters_whole_answer_is_shown_to_maintainers_alone(world: World, client: Client) -> None:
    """Prompt and its hash, what came back, the program in it, and what became of that."""
    session = world.session
    problem = fresh(session)
    for name, vendor in (("orion", "acme"), ("tern", "birds")):
        add_setter(session, name, vendor)
    settle(session, problem)
    brute = "<think>HM</think>SAID <b>so</b>:\n```python\nprint('PROGRAM')\n```\n"
    asked(session, lambda name: lambda request: brute)
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    told = {"setter": "orion", "vendor": "acme", "role": "brute", "ordinal": 0, "state": "refuted: another answer",
            "witness": "WITNESS 77", "said": "SAYS 8", "expected": "EXPECTS 9"}  # fmt: skip
    consensus_jobs.record(
        session,
        job,
        ConsensusResult(text_reason("they contradict each other"), job.problem, (), {}, {"answers": [told]}),
        NOW,
    )
    session.commit()
    [number] = [
        sample for piece, sample in job.samples.items() if (piece.setter, str(piece.role)) == ("orion", "brute")
    ]
    kept = session.get_one(Sample, number)
    address = f"/ops/setters/{number}"
    assert client.get(f"/en{address}").status_code == 401
    token = issue_login_link(session, NOW)
    session.commit()
    client.post("/en/login", data={"token": token}, follow_redirects=False)
    page = client.get(f"/en{address}").text
    for shown in ("orion: brute 0", "acme", "SAID &lt;b&gt;so&lt;/b&gt;", "print(&#39;PROGRAM&#39;)", "WITNESS 77",
                  "SAYS 8", "EXPECTS 9", "refuted: another answer", str(kept.prompt_sha256), "matches the prompt sent",
                  "ROLE: brute", "atcoder/"):  # fmt: skip
        assert shown in page, shown
    assert "仅维护者可见" in client.get(f"/zh{address}").text
    for linking in ("/en/ops/setters", "/en/ops/quarantine"):
        assert f"/en{address}" in client.get(linking).text, linking
    public = world.answer(world.run(world.model("gull")), world.problem("a"))
    session.commit()
    for other in (public.id, 10**12, 0):
        assert client.get(f"/en/ops/setters/{other}").status_code == 404, "a ranked model's answer has its own page"
    assert client.get(f"/en/samples/{number}").status_code == 404, "and nobody else has this one"
