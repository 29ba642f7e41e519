"""Numbers with a unit: taken where they stand alone, and no other number is made of them."""

import pytest

from scrapers.sites._atcoder import facts as atcoder
from scrapers.sites._codeforces import facts as codeforces


def test_times() -> None:
    for site in [atcoder, codeforces]:
        for text, milliseconds in [
            ("2 sec", 2000), ("2.5 sec", 2500), ("500 msec", 500), ("2 sec / Memory Limit: 1024 MB", 2000),
            (": 2sec", 2000), ("1 min", 60_000), ("2 sec (Java 4 sec)", 2000),
            ("1,500 ms", 1500), ("1 500 msec", None), ("1 min 30 sec", None), ("2 – 5 sec", None),
            ("2-5 sec", None), ("2e3 ms", None), ("0 sec", None), ("", None), ("two seconds", None),
        ]:  # fmt: skip
            assert site.time_limit_ms(text) == milliseconds, (site, text, milliseconds)


@pytest.mark.parametrize(
    ("text", "megabytes"),
    [
        ("1024 MB", 1024), ("1,024 MB", 1024), ("976 MiB", 976), ("65536 KB", 64), ("256 megabytes", 256),
        ("1 024 MB", None), ("64 – 256 MB", None),
    ],
)  # fmt: skip
def test_memories(text: str, megabytes: int | None) -> None:
    assert codeforces.memory_limit_mb(text) == megabytes
    if "megabytes" not in text:
        assert atcoder.memory_limit_mb(text) == megabytes


def test_a_decimal_comma_is_read_where_the_site_writes_one() -> None:
    assert codeforces.time_limit_ms("1,5 секунды") == 1500
    assert atcoder.time_limit_ms("2,5 sec") is None
    assert atcoder.memory_limit_mb("1,02 MB") is None


def test_divisions_joined_by_a_word() -> None:
    assert codeforces.division_of("Codeforces Round 1 (Divs. 1 and 2)") == "Div. 1 + Div. 2"
    assert codeforces.division_of("Codeforces Round 1 (Div. 1 + Div. 2)") == "Div. 1 + Div. 2"
