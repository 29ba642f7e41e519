"""The maintainers' pages: expected data, sources, quarantine, changed responses; and one form handler for actions.

Every page works without scripts: choose rows, state a reason, press a button; the response leads back to the page.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.responses import RedirectResponse, Response, StreamingResponse

from app.domain.consensus.additions import ADDITION_LANGUAGES, AdditionKind
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import finding_reason
from app.domain.sources.contest_progress import ContestStep
from app.domain.sources.records import record_to_json
from app.services.evidence import signing
from app.services.operations import activity, contest_progress, gpus, health_views, maintenance, source_status
from app.services.operations.access import SignedInUser
from app.services.problems import hidden_tests
from app.services.runs import models
from app.services.runs.consensus import held_problems, setter_answers, setters
from app.services.runs.control import run_control
from app.services.vendors import addresses, declarations
from scrapers.reading.page import SourcePage as Body
from scrapers.reading.shape import parts_of
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site
from web.authentication import action_notes, age_on_page, require_form_sender, require_maintainer, require_test_reader
from web.context import PageRequest
from web.render import render

PAGES = (
    "/ops", "/ops/activity", "/ops/quarantine", "/ops/drift", "/ops/machinery", "/ops/gpus", "/ops/setters",
    "/ops/contamination", "/ops/cutoffs", "/ops/runs",
)  # fmt: skip
# What brings the first contest to an installation that visits no site: a step of the catalogue, and its commands.
_FIRST_COMMANDS = (
    ("contact", ("TIDEMARK_CONTACT=you@example.com",)),
    ("site", ("TIDEMARK_SOURCES__ATCODER__ENABLED=true", "./tidemark scrape atcoder")),
    ("setters", ("./tidemark setter add NAME --vendor VENDOR --endpoint URL --key-env NAME_OF_VARIABLE",)),
    ("model", ("./tidemark run start MODEL --protocol fresh --endpoint URL --key-env NAME_OF_VARIABLE",)),
)
_NO_STORE = {"Cache-Control": "no-store"}
_MAX_SHOWN_CHARS = 40_000  # characters of a response


def ops_page(page: PageRequest) -> Response:
    """Render the data expected from contests, the state of each source, and the open alerts."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(
            page, who, "pages/ops/overview.html",
            contests=source_status.contests(session, page.now), sites=source_status.sites(session, page.now),
            alerts=health_views.open_alerts(session), to_sign=signing.count_unsigned(session),
            view=health_views.overview(session, page.now, page.state.pauses(session)),
            progress={found.contest: found for found in contest_progress.contests(session, page.now)},
            steps=tuple(ContestStep)[1:], first_commands=_FIRST_COMMANDS,
        )  # fmt: skip


def activity_page(page: PageRequest) -> Response:
    """Render charts of the last fortnight: lag, visits, responses, missing fields, judging and spending."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        charts = activity.activity_charts(session, page.now)
    return _render(page, who, "pages/ops/activity.html", charts=charts, days=activity.DAYS, hours=activity.HOURS)


def quarantine_page(page: PageRequest) -> Response:
    """Render held problems with their reasons, and readers' reports."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(
            page,
            who,
            "pages/ops/quarantine.html",
            held=health_views.held_problems(session),
            disputes=health_views.open_disputes(session),
            settings=() if models.is_rival(session, who.email) else held_problems.untested_problems(session),
            kinds=tuple(AdditionKind),
            languages=ADDITION_LANGUAGES,
        )


def drift_page(page: PageRequest) -> Response:
    """Render the responses that failed to parse or whose structure is new."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(page, who, "pages/ops/drift.html", captures=source_status.drifted_captures(session, page.now))


def capture_page(page: PageRequest) -> Response:
    """Render one such response beside the last good one: fields, parts, and the bytes as text."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        pair = source_status.capture_pair(session, int(page.request.path_params["id"]))
        return _render(page, who, "pages/ops/capture.html", pair=pair, change=_compare_captures(pair))


def machinery_page(page: PageRequest) -> Response:
    """Render workers, visits, captures, stuck answers, and the audit log."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(page, who, "pages/ops/machinery.html", view=health_views.machinery(session, page.now))


def gpus_page(page: PageRequest) -> Response:
    """Render the work and speed of each GPU worker."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(page, who, "pages/ops/gpus.html", workers=gpus.gpu_workers(session, page.now))


def setters_page(page: PageRequest) -> Response:
    """Render the models that make tests, with their answers and costs."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(
            page,
            who,
            "pages/ops/setters.html",
            setters=setters.setters(session),
            answers=setter_answers.newest_answers(session),
        )


def setter_answer_page(page: PageRequest) -> Response:
    """Render one answer of a setter: its prompt, its text, and its outcome."""
    with page.state.sessions() as session:
        who = require_test_reader(page, session)
        view = setter_answers.answer(session, int(page.request.path_params["id"]))
        return _render(page, who, "pages/ops/answer.html", view=view)


def tests_page(page: PageRequest) -> Response:
    """Render the stored tests of a problem, hidden ones too, with their setters; long texts are cut."""
    name = page.request.query_params.get("problem", "").strip()[:300]
    with page.state.sessions() as session:
        who = require_test_reader(page, session)
        try:
            view = hidden_tests.stored_tests(session, name) if name else None
        except NotFound:
            view = None
        return _render(page, who, "pages/ops/tests.html", asked=name, view=view)


def tests_file(page: PageRequest) -> Response:
    """Return the stored tests of a problem in full, as a file."""
    name = page.request.query_params.get("problem", "").strip()[:300]
    with page.state.sessions() as session:
        require_test_reader(page, session)
        view = hidden_tests.stored_tests(session, name)
    headers = {**_NO_STORE, "Content-Disposition": 'attachment; filename="tests.json"'}
    pieces = hidden_tests.stream_json(page.state.sessions, view)
    return StreamingResponse(pieces, media_type="application/json", headers=headers)


def signing_page(page: PageRequest) -> Response:
    """Render the findings of contamination tests, for a maintainer to sign before they are public."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(page, who, "pages/ops/contamination.html", entries=signing.results_to_sign(session))


def cutoffs_page(page: PageRequest) -> Response:
    """Render vendors' declarations of their models' dates that wait for a maintainer."""
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        return _render(
            page, who, "pages/ops/cutoffs.html", waiting=declarations.declarations_to_review(session, who.email)
        )


def runs_page(page: PageRequest) -> Response:
    """Render every run that asks a model, newest first, with the trials that stand and a form to void runs.

    It also lists the organisations that asked at an address where others asked too.
    """
    with page.state.sessions() as session:
        who = require_maintainer(page, session)
        runs, askers = run_control.runs(session)[::-1], addresses.askers_at_shared_addresses(session)
        return _render(page, who, "pages/ops/runs.html", runs=runs, askers=askers)


def _render(page: PageRequest, who: SignedInUser, template: str, **values: Any) -> Response:
    return render(page, template, headers=_NO_STORE, who=who, age=age_on_page(page), notes=action_notes(page), **values)


def act(page: PageRequest, form: Mapping[str, str], subjects: tuple[str, ...]) -> Response:
    """Carry out the action of a form, wake the tasks it concerns, and lead back to the form's page."""
    with page.state.sessions.begin() as session:
        who = require_form_sender(page, session, form)
        outcome = maintenance.carry_out(session, _read_action(form, subjects), who.email, page.now)
    for task, *arguments in outcome.wakes:
        page.state.wake(task, *arguments)
    back = form.get("back", "")
    params = [("done", str(outcome.done))]
    if outcome.refused:
        params.append(("refused", "; ".join(outcome.refused)[:300]))
    target = page.href(back if back in PAGES else "/ops", params)
    return RedirectResponse(target, status_code=303, headers=_NO_STORE)


def add_consensus_addition(page: PageRequest, form: Mapping[str, str]) -> Response:
    """Store a program, an input or a checker for a problem whose tests could not be made, and try again."""
    with page.state.sessions.begin() as session:
        who = require_form_sender(page, session, form)
        problem, kind, language, body = (form.get(name, "") for name in ("problem", "kind", "language", "body"))
        addition = held_problems.AdditionRequest(problem, kind, language, body, _read_reason(form))
        try:
            with session.begin_nested():
                held_problems.add(session, addition, page.now, who.email)
            params = [("done", "1")]
        except (Conflict, NotFound) as error:
            params = [("done", "0"), ("refused", str(error)[:300])]
    page.state.wake("set")
    return RedirectResponse(page.href("/ops/quarantine", params), status_code=303, headers=_NO_STORE)


def _read_action(form: Mapping[str, str], subjects: tuple[str, ...]) -> maintenance.ActionRequest:
    try:
        action = maintenance.Action(form.get("action", ""))
    except ValueError:
        raise InvalidInput("This action does not exist.", pointer="/action") from None
    return maintenance.ActionRequest(
        action, subjects, _read_reason(form), _read_day(form, "from"), _read_day(form, "to")
    )


def _read_reason(form: Mapping[str, str]) -> str:
    """Return the reason on one line; the services check it."""
    return " ".join(form.get("reason", "").split())


def _read_day(form: Mapping[str, str], name: str) -> date | None:
    text = form.get(name, "").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidInput("Write the date as 2026-11-01.", pointer=f"/{name}") from None


@dataclass(frozen=True, slots=True)
class CaptureDiff:
    """The differences of two responses: in their records, in their parts, and as texts."""

    fields: tuple[tuple[str, str, str], ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    text: str
    findings: tuple[str, ...]


def _compare_captures(pair: source_status.CapturePair) -> CaptureDiff:
    site = find_site(pair.bad.source)
    media = site.kind(pair.bad.kind).media
    bad = parse_page(site, pair.bad.kind, pair.bad_body, pair.bad.url)
    # Each response is parsed with its own address, which names the subject of pages that do not.
    good = parse_page(site, pair.bad.kind, pair.good_body, (pair.good or pair.bad).url)
    had, has = (parts_of(Body(body), media) for body in (pair.good_body, pair.bad_body))
    return CaptureDiff(
        fields=_changed_fields(good, bad),
        gone=tuple(sorted(had - has)[:100]),
        new=tuple(sorted(has - had)[:100]),
        text=Body(pair.bad_body[: 4 * _MAX_SHOWN_CHARS]).text[:_MAX_SHOWN_CHARS],
        findings=tuple(finding_reason(finding.code, finding.message) for finding in bad.findings),
    )


def _changed_fields(good: ParsedPage, bad: ParsedPage) -> tuple[tuple[str, str, str], ...]:
    """Return (field, before, now) of the first record of each, if they differ; and the numbers of records."""
    before, now = _first_record(good), _first_record(bad)
    rows = [("class", good.classification.value, bad.classification.value)]
    rows.append(("records", str(len(good.records)), str(len(bad.records))))
    rows += [(name, before.get(name, ""), now.get(name, "")) for name in dict.fromkeys([*before, *now])]
    return tuple(row for row in rows if row[1] != row[2])


def _first_record(parsed: ParsedPage) -> dict[str, str]:
    if not parsed.records:
        return {}
    plain = record_to_json(parsed.records[0])
    return {name: _shorten(json.dumps(value, ensure_ascii=False)) for name, value in plain.items()}


def _shorten(text: str) -> str:
    return text if len(text) <= 300 else text[:300] + "…"
