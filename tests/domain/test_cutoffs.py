"""Which day counts as a model's cutoff, and what is evidence of one."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from app.domain.cube.facts import CutoffBasis
from app.domain.cutoffs import SHIPPED_EVIDENCE, Cutoff, cutoff_of, is_public_url

ACCEPTED, RELEASED, REGISTERED = date(2025, 6, 30), date(2026, 1, 15), datetime(2026, 3, 1, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("accepted", "released", "expected"),
    [
        (ACCEPTED, RELEASED, Cutoff(ACCEPTED, CutoffBasis.DECLARED)),
        (ACCEPTED, None, Cutoff(ACCEPTED, CutoffBasis.DECLARED)),
        (None, RELEASED, Cutoff(RELEASED, CutoffBasis.RELEASED)),
        (None, None, Cutoff(date(2026, 3, 1), CutoffBasis.REGISTERED)),
    ],
)
def test_the_first_basis_that_there_is_counts(accepted: date | None, released: date | None, expected: Cutoff) -> None:
    assert cutoff_of(accepted, released, REGISTERED) == expected


def test_a_registration_is_dated_in_utc() -> None:
    there = REGISTERED.astimezone(timezone(timedelta(hours=5)))
    assert there.date() == date(2026, 3, 2)
    assert cutoff_of(None, None, there).on == cutoff_of(None, None, date(2026, 3, 1)).on == date(2026, 3, 1)


def test_evidence_is_an_address_that_everybody_can_look_at() -> None:
    for text in [
        "https://example.com", "http://example.com/card", "https://a-b.example.co.uk:8443/x?y=z#part",
        "https://例子.中国/卡片", "HTTPS://Example.COM/", "https://local.example.com/", "https://medium.com/@acme/card",
        "https://internal.org",
    ]:  # fmt: skip
        assert is_public_url(text), text


def test_what_nobody_can_look_at_is_none() -> None:
    for text in [
        None, "", " ", "\t\n", "\u00a0", "\u200b", "a card", "https://", "https:// ", "https://   /card",
        " https://example.com", "https://example.com/a card", "https://exam ple.com", "https://example.com/\u2003",
        "https://example.com/\n", "https://localhost/card", "https://card", "https://127.0.0.1/card", "https://[::1]/x",
        "https://[x", "https://.com", "https://a..b", "https://-.com", "ftp://example.com/card", "file:///etc/passwd",
        "javascript:alert(1)", "//example.com/card", "https://example.com/" + "x" * 2000, SHIPPED_EVIDENCE,
        "http://x.local/1", "https://card.internal/x", "https://localhost.localdomain/x", "https://A.LocalHost/card",
        "https://models.lan", "https://card.home.arpa/", "http://x.local:8080/1",
        "https://example.com@evil.org/", "https://ada:secret@example.com/card", "https://@example.com/card",
        "https://example.com./card", "http://x.local./1",
    ]:  # fmt: skip
        assert not is_public_url(text), text
