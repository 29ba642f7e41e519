"""The pipeline's context and a judge, for real problems and answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from pipeline.conftest import ctx, one_judge, tested_judge
from pipeline.flow import NOW
from support.files import read
from support.sandboxes import sandbox_root
from support.servers import Servers

from app.db.kernel.session import SessionMaker, make_engine, make_sessionmaker
from app.domain.imports import ImportSummary
from app.services.runs import cell_updates, imports
from workers.grading.judge import Judge, JudgeSettings

__all__ = ["ctx", "one_judge", "tested_judge"]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real captures, boards and problems beside the checkout; its tests are skipped without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder of real data beside the checkout (../shared) is absent")
    return folder


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """A judge with the sandbox that all tests share."""
    judge = Judge(JudgeSettings(sandbox_root(), tmp_path_factory.mktemp("scratch")))
    judge.self_test()
    return judge


LCB_FILES = {
    "codegen": "data/livecodebench/performances_generation_2025-04-28.json.gz",
    "repair": "data/livecodebench/performances_repair.json.gz",
}


@dataclass(frozen=True)
class LcbBoards:
    """LiveCodeBench's own boards in a database that is only read: sessions on it, and what was stored of each."""

    sessions: SessionMaker
    stored: Mapping[str, ImportSummary]


@pytest.fixture(scope="session")
def lcb_boards(servers: Servers, shared: Path) -> Iterator[LcbBoards]:
    """Both files, imported and aggregated once: to store 29,000 results takes seconds."""
    with servers.database() as database:
        engine = make_engine(database)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            stored = {
                board: imports.store_batch(session, read("lcb-board", shared / file, board=board), NOW)
                for board, file in LCB_FILES.items()
            }
            while cell_updates.update_changed_cells(session):
                pass
        yield LcbBoards(sessions, stored)
        engine.dispose()
