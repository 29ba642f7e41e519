"""Reasons of our own rules are said in the reader's language wherever they stand; what people wrote stays theirs."""

import copy
import html
import json
import pickle
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy.exc import StatementError
from support.files import board_row, board_text, read, write
from support.signing_in import sign_in

from app.db.kernel import logs
from app.db.tables import Endpoint, LedgerEntry
from app.domain.errors import JudgeError
from app.domain.reasons import (
    HOLD_PREFIX,
    JOINTS,
    SEVERAL,
    TEXT,
    Reason,
    cut_reason,
    error_reason,
    finding_reason,
    found_reason,
    join_reasons,
    map_text,
    reason_from_json,
    reason_to_json,
    storable_reason,
    text_reason,
)  # fmt: skip
from app.domain.sentences import FOUND_PREFIX, SENTENCES
from app.domain.sources.records import Classification, finding_from_json
from app.domain.states import ProblemState
from app.services.runs import imports
from web.i18n import ENGLISH, Locale, catalogue, locales, translator
from web.reason_text import catalogue_key, in_words, pieces

ROOT = Path(__file__).resolve().parents[2]
CHINESE = Locale("zh")
ZH = translator(CHINESE)


def example(code: str) -> Reason:
    """A reason of each code: numbers for its fields, and a cause that is a sentence of ours where it takes one."""
    fields = {name for _, name, _, _ in Formatter().parse(SENTENCES[code]) if name}
    cause = Reason("worker_died") if "cause" in fields else None
    params: dict[str, str | int] = {name: 7 if name == "n" else f"{len(name)}00" for name in fields - {"cause"}}
    return Reason(code, params, (cause, Reason("published")) if code in JOINTS and cause else cause)


EXAMPLES = {code: example(code) for code in SENTENCES if code != TEXT}


@pytest.mark.parametrize("locale", locales())
def test_every_code_has_words_and_all_words_have_a_code(locale: Locale) -> None:
    messages = catalogue(locale).messages
    keys = {catalogue_key(code) for code in SENTENCES}
    assert keys == {key for key in messages if key.startswith(("reason.", HOLD_PREFIX))}
    rules = {f"suggest.{code}" for code in SENTENCES if code.startswith(HOLD_PREFIX)}
    assert rules == {key for key in messages if key.startswith("suggest.hold.")}, "each hold has something to do"


@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_no_chinese_page_says_a_reason_of_ours_in_english(code: str) -> None:
    said = in_words(ZH, EXAMPLES[code])
    names = (
        "GPU", "TIDEMARK_CONTROL_URL", "TIDEMARK_SECRET_KEY", "secret.key", "API", "Tidemark", "MB", "MiB", "CPU",
        "HTTP", "TLS", "https", "token", "JSON",
    )  # fmt: skip
    assert not re.search("[A-Za-z]{2}", re.sub("|".join(names), "", said)), said
    assert all(str(value) in said for value in EXAMPLES[code].params.values()) or code == "hold.no_limits"
    caused = EXAMPLES[code].cause is not None and not code.startswith(FOUND_PREFIX)
    assert not caused or "工作进程" in said, "the cause is said, too"


def test_english_pages_say_what_the_api_says() -> None:
    """The rules of publishing are worded a little longer on pages."""
    t = translator(ENGLISH)
    for code, reason in EXAMPLES.items():
        assert code.startswith(HOLD_PREFIX) or in_words(t, reason) == reason, code


def test_every_code_is_made_somewhere() -> None:
    paths = [path for room in ("app", "scrapers", "workers") for path in (ROOT / room).rglob("*.py")]
    made = "".join(path.read_text() for path in paths if not path.name.endswith("sentences.py"))
    budgets = {f"{whose}_{kind}" for whose in ("own", "service", "vendor") for kind in ("budget", "daily_budget")}
    spent = {f"{name}_spent" for name in ("calls", "tokens", "usd", "judge_s")}
    checked = {f"{does}_{what}" for does in ("accepts", "rejects") for what in ("alike", "right", "garbage")}
    elsewhere = {"odd", "no_evidence", "checker_waits", "interactor_waits", *budgets, *spent, *checked}
    families = re.compile(r"(?:found|page|ended|outcome)\.")
    names = [families.sub("", code).replace("left_out", "left out") for code in SENTENCES if code not in elsewhere]
    assert [name for name in names if f'"{name}"' not in made] == []


@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_a_reason_is_stored_and_read_as_it_was(code: str) -> None:
    reason = EXAMPLES[code]
    stored = json.loads(json.dumps(reason_to_json(reason)))
    for other in (reason_from_json(stored), copy.deepcopy(reason), pickle.loads(pickle.dumps(reason))):
        assert isinstance(other, Reason)
        assert (other, other.code, other.params, other.cause) == (reason, code, reason.params, reason.cause)
        assert reason_to_json(other) == stored
    assert reason_from_json(json.loads('"as it was"')) == "as it was"


def test_a_reason_is_fixed_and_known() -> None:
    reason = Reason("given_up", cause="I say so")
    assert str(reason) == "given up: I say so"
    assert type(str(reason)) is str
    with pytest.raises(AttributeError):
        reason.code = "published"
    with pytest.raises(KeyError):
        Reason("unheard of")
    with pytest.raises(KeyError):
        Reason("given_up")
    with pytest.raises(KeyError):
        Reason("findings", cause="no_samples")


def test_reasons_that_hold_together_are_cut_where_their_english_is() -> None:
    parts = [Reason("published"), "by hand", Reason("proven")]
    assert join_reasons(parts[:1], 100) is parts[0]
    joined = join_reasons(parts, 100)
    assert joined == "published; by hand; its proof succeeded"
    assert in_words(ZH, joined) == "已发布；by hand；验证通过"
    for most in range(1, 40):
        cut = join_reasons(parts, most)
        assert cut in (joined[:most], joined[:most].removesuffix(" ").removesuffix(";"))
    assert in_words(ZH, join_reasons(parts, 31)) == "已发布；by hand；its proof s"


def test_a_reason_keeps_its_code_where_its_text_changes() -> None:
    reason = Reason("answered_with", {"n": 401}, Reason(SEVERAL, cause=("bad\0key", Reason("published"))))
    clean = map_text(reason, lambda text: text.replace("\0", ""))
    assert (clean, getattr(clean, "code", None)) == ("answered 401: badkey; published", "answered_with")
    assert map_text(Reason("wrong_passes", {"what": "a\0"}), lambda text: text.replace("\0", "?")) == (
        "known-wrong program a? is accepted"
    )
    assert cut_reason(clean, 100) is clean
    assert (cut_reason(clean, 8), type(cut_reason(clean, 8))) == ("answered", str)
    assert storable_reason("a\0b", 1) == "a"
    assert error_reason(JudgeError(clean)) is clean
    assert error_reason(JudgeError("as it was")) == "as it was"
    assert error_reason(JudgeError()) == ""


def test_free_text_stands_where_a_reason_is_expected() -> None:
    text = text_reason("as it was")
    assert (text, text.code, reason_to_json(text)) == ("as it was", TEXT, "as it was")
    assert text_reason(text) is text
    assert [piece.foreign for piece in pieces(text, ZH)] == [True]


def _stored_reason(stored: dict[str, Any]) -> str:
    """The reason of a finding as it is stored with a visit."""
    finding = finding_from_json(stored)
    return finding_reason(finding.code, finding.message, finding.subject)


def test_a_finding_is_said_by_its_code_outside_english() -> None:
    finding = {"code": "missing_title", "message": "the task has no title", "subject": "abc1_a"}
    assert _stored_reason(finding) == "missing_title: the task has no title: abc1_a"
    assert in_words(ZH, _stored_reason(finding)) == "missing_title： 缺少标题：abc1_a"
    assert in_words(translator(ENGLISH), _stored_reason(finding)) == _stored_reason(finding)
    lists = Reason("lists_lack", {"n": 2}, "a, b")
    stored = {"code": "contests_missing", "message": str(lists), "reason": reason_to_json(lists)}
    assert in_words(ZH, _stored_reason(stored)) == f"contests_missing： {in_words(ZH, lists)}"
    assert found_reason("unheard_of", "as it was") == "as it was"


def test_no_column_for_reasons_of_rules_takes_plain_text(world: World) -> None:
    row = Endpoint(
        model_id=world.model("tern").id, backend="x", remote_name="x", base_url="https://a.invalid", max_concurrency=1,
        stopped_at=NOW, stopped_reason=Reason("secret_lost"),
    )  # fmt: skip
    world.session.add(row)
    world.session.flush()
    row.stopped_reason = str(row.stopped_reason)[:20]  # type: ignore[assignment]
    with pytest.raises(StatementError, match="plain text where a reason is stored: 'its secret was lost '"):
        world.session.flush()


@pytest.mark.parametrize("locale", locales())
def test_every_page_class_and_finding_has_a_reason(locale: Locale) -> None:
    """Codes are found in the parsers' source, so that a new one is not left in English."""
    sources = "".join(path.read_text() for path in (ROOT / "scrapers").rglob("*.py"))
    codes = set(re.findall(r'(?:PageFinding|not_read)\(\s*"(\w+)"', sources))
    assert codes
    assert {f"{FOUND_PREFIX}{code}" for code in codes} <= SENTENCES.keys()
    assert {f"page.{word}" for word in Classification} <= SENTENCES.keys()
    assert catalogue(locale).messages.keys() >= {f"reason.{FOUND_PREFIX}{code}" for code in codes}


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (Reason("other_tests", {"what": "package"}, Reason("imported_from", {"what": "package"})),
         "更换测试数据（package）： 导入自 package"),
        (Reason("given_up", cause=Reason("our_fault", cause="OSError")), "已放弃： 本站故障： OSError"),
        (Reason("hold.unfit", cause="it defines no function"), "无法评测： it defines no function"),
        (
            Reason("visit_failed", {"what": "AtCoder"},
                   Reason("list_unread", cause=Reason("format_changed", cause="no row names a contest"))),
            "AtCoder 最近一次抓取失败： 列表无法读取： 页面格式已变化： no row names a contest",
        ),
        (Reason("no_price", cause=Reason("service_budget")), "单次调用的价格未知，因此无法遵守本服务的预算"),
        ("published by hand", "published by hand"),
        ("published", "published"),
        ("", ""),
        (None, ""),
    ],
)  # fmt: skip
def test_reason_is_said_in_chinese(reason: str | None, said: str) -> None:
    assert in_words(ZH, reason) == said


def test_pages_say_every_reason_in_the_language_of_the_reader(world: World, client: Client) -> None:
    """The ledger, the audit log and the quarantine, with a line for each code."""
    for code, reason in EXAMPLES.items():
        logs.write_ledger(world.session, NOW, "model.added", "tern", reason)
        logs.write_audit(world.session, NOW, "clock", "import.package", code, reason)
        if code.startswith(HOLD_PREFIX):
            world.problem(code.removeprefix(HOLD_PREFIX), state=ProblemState.HELD, hold_reason=reason)
    world.session.commit()
    assert {row.code for row in world.session.query(LedgerEntry.reason) for row in row} == set(EXAMPLES)
    sign_in(world, client)
    pages = [_changes(client)]
    pages += [client.get(f"/zh/ops/{name}").text for name in ("machinery", "quarantine")]
    for code, reason in EXAMPLES.items():
        said = html.escape(in_words(ZH, reason), quote=False).replace("'", "&#39;").replace('"', "&#34;")
        shown = [said in page for page in pages]
        assert shown[0], code
        assert shown[2] or not code.startswith(HOLD_PREFIX), code
        english = html.escape(reason, quote=False).replace("'", "&#39;")
        assert len(reason) < 20 or not any(english in page for page in pages), code


def _changes(client: Client) -> str:
    """All pages of the public ledger."""
    page, path = "", "/zh/changes?kind=all"
    while path:
        text = client.get(path).text
        page += text
        older = re.search(r'href="([^"]*)" rel="next"', text)
        path = html.unescape(older[1]) if older else ""
    return page


def test_the_public_ledger_says_why_in_the_language_of_the_page(world: World, client: Client, tmp_path: Path) -> None:
    board = write(tmp_path, "b.json", board_text([board_row("a", "p", 100.0)]))
    imports.store_batch(world.session, read("lcb-board", board), NOW)
    for kind, subject, reason in (
        ("problem.added", "house/p1", Reason("published")),
        ("problem.withdrawn", "house/p1", "its author <asked> for it"),
        ("model.added", "tern", Reason("bundled")),
    ):
        logs.write_ledger(world.session, NOW, kind, subject, reason)
    world.session.commit()
    english, chinese = (client.get(f"/{locale}/changes?kind=all").text for locale in locales())
    for old, new in (
        ("imported: lcb-board", "导入：lcb-board"), ("bundled to show how it works", "随软件附带，用于演示"),
        (">published<", ">已发布<"),
    ):  # fmt: skip
        assert (old in english, new in english) == (True, False)
        assert (old in chinese, new in chinese) == (False, True)
    assert '<span lang="en">its author &lt;asked&gt; for it</span>' in chinese, "free text stays, and says its language"
    assert "导入：lcb-board" in client.get("/zh/feeds/changes.atom").text
    assert "imported: lcb-board" in client.get("/feeds/changes.atom").text
    assert "随软件附带，用于演示" in client.get("/zh/status").text
    assert [line["reason"] for line in client.get("/api/v1/ledger").json()["data"]][:3] == [
        "bundled to show how it works", "its author <asked> for it", "published",
    ]  # fmt: skip
