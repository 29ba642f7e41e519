"""Two vendors make a problem's tests, drawn by its name."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from app.domain.consensus.draw import pick_vendors

VENDORS = ("acme", "birds", "coots", "ducks")


def test_the_draw_is_of_names_alone_and_pinned() -> None:
    assert [pick_vendors(f"atcoder/abc1_{letter}", VENDORS) for letter in "abc"] == [
        ("ducks", "coots"),
        ("acme", "ducks"),
        ("acme", "coots"),
    ]
    assert pick_vendors("atcoder/abc1_a", reversed(VENDORS)) == pick_vendors("atcoder/abc1_a", VENDORS)


def test_every_vendor_misses_some_problems_and_has_some() -> None:
    counts = Counter(vendor for number in range(300) for vendor in pick_vendors(f"p/{number}", VENDORS))
    assert all(120 <= counts[vendor] <= 180 for vendor in VENDORS)


@given(st.sets(st.sampled_from(VENDORS)), st.sets(st.sampled_from(VENDORS)), st.sets(st.sampled_from(VENDORS)))
def test_who_is_asked_stays_but_for_who_is_silent_or_gone(
    vendors: set[str], before: set[str], silent: set[str]
) -> None:
    before = set(pick_vendors("x", before))
    found = pick_vendors("x", vendors, before, silent)
    assert len(found) == len(set(found)) == min(2, len(vendors))
    assert set(found) <= vendors
    kept = before & vendors - silent
    assert kept <= set(found)
    if len(vendors - silent) >= 2:
        assert silent.isdisjoint(found)
