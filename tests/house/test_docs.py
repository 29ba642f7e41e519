"""Facts that the documents state and the code decides."""

import re
from enum import StrEnum
from pathlib import Path

import pytest
from support.rules import PACKAGES, ROOT

from app.cli.verbs import VERBS
from app.domain.judging.verdicts import Verdict
from app.domain.registry import discover
from app.domain.states import ProblemState, SampleState, ScrapeState
from scrapers.site import Site


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_the_readme_knows_every_verb(verb: str) -> None:
    assert re.search(rf"(tidemark |`|\| ){re.escape(verb)}\b", _text("README.md"))


def test_the_readme_invents_no_verb() -> None:
    named = set(re.findall(r"\./tidemark ([a-z][a-z-]*)", _text("README.md")))
    assert named - set(VERBS) == set()


@pytest.mark.parametrize("room", ["app.domain", "app.db", "app.services", "app.api", "app.cli", "app.supervise",
                                  "workers.tasks", "workers.inference", "workers.grading", *PACKAGES])  # fmt: skip
def test_the_architecture_names_every_room(room: str) -> None:
    text = _text("ARCHITECTURE.md")
    assert room in text or room.replace(".", "/") in text


@pytest.mark.parametrize("words", [Verdict, ProblemState, SampleState, ScrapeState])
def test_the_glossary_has_every_state_and_verdict(words: type[StrEnum]) -> None:
    text = _text("GLOSSARY.md")
    assert [word.value for word in words if word.value not in text] == []


def test_every_site_is_named_in_the_readme() -> None:
    text = _text("README.md")
    assert [site.title for site in discover("scrapers.sites", "SITE", Site).values() if site.title not in text] == []


DOCUMENTS = [
    "README.md", "ARCHITECTURE.md", "GLOSSARY.md", "CHANGELOG.md", ".env.example", "league/README.md",
    *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))),
]  # fmt: skip
# The hosts that documents may name: none of them is where packages are kept, for that is the operator's choice.
HOSTS = {
    "127.0.0.1", "api.example.com", "board.example.com", "dozen.example", "harbour.example", "codeforces.com",
    "keepachangelog.com", "www.standardwebhooks.com",
}  # fmt: skip
# Parent folders and the roots of people's homes and workplaces: a checkout lies anywhere.
ELSEWHERE = re.compile(
    r"(?<![\w.])\.\./\w+/?|(?<![\w./])/(?:home|root|work|Users)/|\bissue \d|\bsession\s+\d", re.IGNORECASE
)


def _strangers(text: str, folder: Path = ROOT / "docs") -> list[str]:
    """Hosts and places that a document of this folder should not name; what lies beside it is none."""
    places = [place for place in ELSEWHERE.findall(text) if place[0] != "." or not (folder / place).exists()]
    return places + sorted(set(re.findall(r"https?://([\w.-]+)", text)) - HOSTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_speak_of_the_project_alone(name: str) -> None:
    assert _strangers(_text(name), (ROOT / name).parent) == []


@pytest.mark.parametrize(
    "text", ["see https://packages.example.org/simple/", "in /home/ann/x", "../elsewhere/", "issue 7"]
)
def test_a_stranger_in_a_document_would_be_seen(text: str) -> None:
    assert _strangers(text)


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md"])
def test_links_between_documents_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\((?!\w+:)([^)#]+)", _text(name))
    assert [target for target in targets if not (ROOT / target).exists()] == []
