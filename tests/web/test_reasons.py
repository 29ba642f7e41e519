"""Reasons of our own rules are said in the reader's language wherever they stand; what people wrote stays theirs."""

import re
from pathlib import Path

import pytest
from factories import NOW, World
from httpx import Client
from support.files import board_row, board_text, read, write

from app.db.kernel import logs
from app.services.runs import imports
from web import reasons
from web.i18n import ENGLISH, Locale, catalogue, locales, translator

ROOT = Path(__file__).resolve().parents[2]
ZH = translator(Locale("zh"))
EN = {key: texts[-1] for key, texts in catalogue(ENGLISH).messages.items() if key.startswith("reason.")}


def test_every_wording_is_written_somewhere() -> None:
    """Who rewords a reason finds here that pages no longer know it."""
    code = "".join(
        path.read_text() for room in ("app", "scrapers", "migrations") for path in (ROOT / room).rglob("*.py")
    )
    for key, english in EN.items():
        longest = max(re.split(r"\{\w+\}|[():]", english), key=len).strip()
        assert longest in code, key


def test_english_stays_as_it_is_stored() -> None:
    for key, english in EN.items():
        said = english.format(what="sub_0a" if key == "reason.submission" else "lcb-board", n=3)
        assert reasons.parts_of(f"{said} x" if said.endswith(":") else said)[0].key == key
        assert reasons.in_words(translator(ENGLISH), said) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("published", "已发布"),
        ("imported: lcb-board", "导入：lcb-board"),
        ("other tests (package): imported from package", "更换测试数据（package）： 导入自 package"),
        ("other tests (generated): its proof succeeded", "更换测试数据（generated）： 验证通过"),
        ("given up: our fault: OSError", "已放弃： 本站故障： OSError"),
        ("tests refuted: reference 2 fails", "测试数据未通过验证： reference 2 fails"),
        ("cannot be judged: it defines no function", "无法评测： it defines no function"),
        ("3 findings: no_samples", "3 项异常： no_samples"),
        ("nothing is judged: no judge has been heard of lately", "评测已停止： 近期没有评测进程报到"),
        (
            "AtCoder: last visit failed: the list cannot be read: format_changed: no row names a contest",
            "AtCoder 最近一次抓取失败： 列表无法读取： 页面格式已变化： no row names a contest",
        ),
        ("AtCoder: last visit blocked: HTTP 403", "AtCoder 最近一次抓取被网站拒绝： HTTP 403"),
        ("published by hand", "published by hand"),
        ("given up: I say so\nand so", "已放弃： I say so\nand so"),
        ("imported: from somewhere", "imported: from somewhere"),
        ("", ""),
        (None, ""),
    ],
)
def test_a_reason_in_chinese(text: str | None, said: str) -> None:
    assert reasons.in_words(ZH, text) == said


def test_the_public_ledger_says_why_in_the_language_of_the_page(world: World, client: Client, tmp_path: Path) -> None:
    board = write(tmp_path, "b.json", board_text([board_row("a", "p", 100.0)]))
    imports.store_batch(world.session, read("lcb-board", board), NOW)
    for kind, subject, reason in (
        ("problem.added", "house/p1", "published"),
        ("problem.withdrawn", "house/p1", "its author <asked> for it"),
        ("model.added", "tern", "bundled to show how it works"),
    ):
        logs.write_ledger(world.session, NOW, kind, subject, reason)
    world.session.commit()
    english, chinese = (client.get(f"/{locale}/changes").text for locale in locales())
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
