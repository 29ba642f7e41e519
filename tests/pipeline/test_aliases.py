"""Aliases are shared by the threads of a worker."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sqlalchemy import select

from app.db.kernel.table_aliases import alias
from app.db.tables import VerdictRow

THREADS = 8


def test_threads_that_ask_for_an_alias_at_once_find_all_its_columns() -> None:
    """Who found a part of them wrote the table's own name, and a worker asked so for ever."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    gate = Barrier(THREADS)

    def asked(number: int) -> str:
        gate.wait()
        made = alias(VerdictRow, f"alias_{number}")
        return str(select(made.test_set_id).where(made.judged_at.is_not(None), made.counts))

    try:
        with ThreadPoolExecutor(THREADS) as pool:
            said = [list(pool.map(asked, [number] * THREADS)) for number in range(60)]
    finally:
        sys.setswitchinterval(before)
    assert [words for words in said if len(set(words)) > 1 or "verdicts." in words[0]] == []
