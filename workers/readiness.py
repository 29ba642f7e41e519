"""This process's readiness to judge: its sandbox's self-test, the alarm, and its languages."""

import json
import logging
import os
import threading
import time
from collections.abc import Iterable

from structlog import get_logger

from app.db.operations import heartbeats
from app.domain.errors import SandboxUnavailable
from workers.context import Context
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.slowness import JUMP, Slowness
from workers.grading.toolchains import known_languages
from workers.lease_renewal import write_heartbeat

log = get_logger(__name__)

SELF_TEST_EVERY_S = 600.0
_FINDER_NICE = 10


def ready_judge(ctx: Context, *, fresh: bool = False) -> AnsweringJudge | None:
    """Return the judge if its self-test passed lately and no alarm is raised; else None, with the reason reported."""
    return ctx.part(Readiness).judge(fresh=fresh)


class Readiness:
    """The judge of a process and the result of its last self-test."""

    def __init__(self, ctx: Context, tested: AnsweringJudge | None = None) -> None:
        """Take `tested`, a judge whose self-test just passed; without one, make a judge and test it when needed."""
        self._ctx = ctx
        self._judge = tested or AnsweringJudge(ctx.settings.judge_settings())
        self._tested_at: float | None = None if tested is None else time.monotonic()
        self._tested: list[dict[str, object]] = []
        self._reported: dict[str, object] = {}
        self._reported_speed = Slowness()
        self._finder: threading.Thread | None = None
        self._closed = threading.Event()

    def close(self) -> None:
        """Stop looking for languages, and wait for the search under way, which still reports to the database."""
        self._closed.set()
        if self._finder is not None:
            self._finder.join()

    def judge(self, *, fresh: bool) -> AnsweringJudge | None:
        """Return the judge if it is ready; `fresh` tests the sandbox again."""
        alarm = self._ctx.commit(heartbeats.alarm)
        if alarm is not None:
            self._report({"grading": "paused", "reason": alarm})
            return None
        moment = time.monotonic()
        is_tested = self._tested_at is not None and moment - self._tested_at <= SELF_TEST_EVERY_S
        if fresh or not is_tested or not self._judge.is_ready:
            self._tested_at = moment if self._test() else None
        elif self._finder is not None and not self._finder.is_alive() and (due := self._judge.languages_to_retry()):
            self._find_beside(due)
        elif self._reported and self._has_another_speed():
            self._report(self._reported)
        return None if self._tested_at is None else self._judge

    def _test(self) -> bool:
        """Test the sandbox; languages without a compiler can be judged at once, the others as they are found."""
        try:
            canaries = self._judge.self_test()
        except SandboxUnavailable as absent:
            packages = self._missing_packages()
            reason = f"{absent} ({packages})" if packages else str(absent)
            self._report({"grading": "paused", "reason": reason, "self_test": []})
            return False
        self._tested = [{"name": canary.name, "ok": canary.ok, "detail": canary.detail} for canary in canaries]
        languages = known_languages().values()
        self._find([language.name for language in languages if not language.compile])
        self._find_beside([language.name for language in languages if language.compile])
        return True

    def _missing_packages(self) -> str | None:
        """Return the note of `up` about missing system packages, if any."""
        try:
            note = json.loads((self._ctx.settings.state_dir / "packages.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        word = note.get("word")
        return None if word is None else str(word)

    def _find_beside(self, languages: list[str]) -> None:
        self._finder = threading.Thread(target=self._find, args=(languages,), daemon=True, name="languages")
        self._finder.start()

    def _find(self, languages: Iterable[str]) -> None:
        if threading.current_thread() is self._finder:  # judging goes first
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _FINDER_NICE)
        for language in languages:
            try:
                self._judge.find(language)
            except SandboxUnavailable:  # the next self-test reports it
                return
            if self._closed.is_set():
                return
        found = self._judge.languages()
        self._report({"grading": "ready", "reason": None, "self_test": self._tested, "languages": found})
        self._ctx.wake("grade")

    def _has_another_speed(self) -> bool:
        now, then = self._judge.speed.last, self._reported_speed
        return now.is_over != then.is_over or now.jump(then) >= JUMP

    def _report(self, detail: dict[str, object]) -> None:
        now = self._reported_speed = self._judge.speed.last
        self._reported = detail
        speed = {"interpreted": now.interpreted, "compiled": now.compiled, "is_over": now.is_over}
        hindrance = self._ctx.hindrance()
        data = {key: value for key, value in detail.items() if key != "self_test"}
        level = logging.INFO if detail["grading"] == "ready" and hindrance is None else logging.WARNING
        log.log(level, "grading.state", **data, slowness=speed, hindrance=None if hindrance is None else str(hindrance))
        if now.warning:
            log.warning("grading.slow_host", reason=now.warning)
        write_heartbeat(self._ctx, "grade", {**detail, "slowness": speed})
