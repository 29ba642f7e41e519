"""Of which data a test for contamination is, and what of it is public under which signature."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
from support.contamination_cases import CONTROLS, END, NEVER, PRE, T, case

from app.domain.contamination.signing import ReportSignature, SignatureState, data_digest, public_row, signature_state

AT = datetime(2026, 3, 1, tzinfo=UTC)


def test_the_digest_is_of_everything_that_a_test_rests_on() -> None:
    plain = data_digest(case().panel(), 0)
    assert plain == data_digest(case().panel(), 0)
    assert len(plain) == 64

    def changed(change: Any) -> str:
        found = case()
        change(found)
        return data_digest(found.panel(), 0)

    def more(found: Any, model: int, problem: int) -> None:
        found.n[model, problem] += 1

    changes = [
        lambda found: more(found, 0, 0),
        lambda found: more(found, CONTROLS, PRE),
        lambda found: found.days.__setitem__(0, found.days[0] - timedelta(days=1)),
        lambda found: found.clusters.__setitem__(0, "elsewhere"),
        lambda found: found.platforms.__setitem__(0, "z"),
        lambda found: found.cutoffs.__setitem__(0, T + timedelta(days=1)),
        lambda found: found.cutoffs.__setitem__(1, NEVER),
        lambda found: found.cutoffs.__setitem__(1, None),
    ]
    digests = [changed(change) for change in changes]
    assert len({plain, *digests}) == len(changes) + 1
    assert data_digest(case().panel(), 0, END) != plain, "the window's end is a part of it"


def test_the_digest_is_of_nothing_else() -> None:
    found = case()
    found.cutoffs[1] = None  # of whom nothing is known serves nobody
    plain = data_digest(found.panel(), 0)
    found.n[1] += 3
    assert data_digest(found.panel(), 0) == plain
    found.families[1] = found.families[0]
    assert data_digest(found.panel(), 0) == plain
    found.cutoffs[0] = None
    assert data_digest(found.panel(), 0) == ""


def row(
    finding: str, data: str = "a", *, platform: str = "not_assessable", cutoff: str = "2025-01-15"
) -> dict[str, Any]:
    """A row of a report with what this module reads."""
    return {
        "model": "orion",
        "data": data,
        "cutoff": {"date": cutoff},
        "pooled": {"finding": finding},
        "platforms": {"x": {"finding": platform}},
        "change_point": {"day": "2025-02-01"},
    }


def signed(body: dict[str, Any] | None, data: str = "a") -> ReportSignature:
    """Somebody's signature."""
    return ReportSignature(data, body, AT, "ada@example.org", AT)


def test_what_is_public_is_what_was_signed_of_these_data() -> None:
    for now, signature, standing in [
        (row("not_assessable"), None, SignatureState.NONE),
        (row("not_assessable"), signed(row("evidence")), SignatureState.NONE),
        (row("no_evidence"), None, SignatureState.WAITING),
        (row("not_assessable", platform="no_evidence"), None, SignatureState.WAITING),
        (row("evidence"), None, SignatureState.WAITING),
        (row("evidence"), signed(None), SignatureState.WAITING),
        (row("evidence"), signed(row("evidence")), SignatureState.SIGNED),
        (row("evidence", "b"), signed(row("evidence")), SignatureState.WAITING),
        (row("no_evidence"), signed(row("evidence")), SignatureState.WAITING),
        (row("not_specific", "b"), signed(row("not_specific")), SignatureState.WAITING),
        (row("no_evidence", "b"), signed(row("no_evidence", platform="evidence")), SignatureState.WAITING),
        (row("no_evidence", "b"), signed(row("no_evidence")), SignatureState.OLDER),
        (row("evidence", "b"), signed(row("no_evidence")), SignatureState.OLDER),
        (row("evidence"), signed(row("no_evidence")), SignatureState.OLDER),
        (row("no_evidence", "b", cutoff="2025-03-01"), signed(row("no_evidence")), SignatureState.WAITING),
    ]:
        assert signature_state(now, signature) is standing, (now, signature, standing)
        shown = public_row(now, signature)
        assert "data" not in shown, (now, signature, standing)
        assert shown["review"] is standing, (now, signature, standing)
        if standing is SignatureState.WAITING:
            assert (shown["pooled"], shown["platforms"], shown["change_point"], shown["tested_at"]) == (
                None,
                {},
                None,
                None,
            ), (now, signature, standing)
        elif standing is SignatureState.NONE:
            assert (shown["pooled"], shown["tested_at"]) == (now["pooled"], None), (now, signature, standing)
        else:
            assert signature is not None, (now, signature, standing)
            assert signature.body is not None, (now, signature, standing)
            assert (shown["pooled"], shown["tested_at"]) == (signature.body["pooled"], AT.isoformat()), (
                now,
                signature,
                standing,
            )


def test_a_model_without_problems_has_a_digest_all_the_same() -> None:
    found = case().keep(np.zeros(0, dtype=np.int64))
    assert data_digest(found.panel(), 0, date(2025, 6, 1))
