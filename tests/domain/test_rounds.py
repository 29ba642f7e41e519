"""Which contests are one round, by their titles."""

from app.domain.sources.rounds import same_round

ONE = [
    ("Codeforces Round 1116 (Div. 1)", "Codeforces Round 1116 (Div. 2)"),
    ("Codeforces Round #641 (Div. 1)", "Codeforces Round #641 (Div. 2)"),
    ("Codeforces Round (Div. 1)", "Codeforces Round (Div. 2)"),
    ("Harbour Cup 2026 - Round 2", "Harbour Cup 2026 - Round 2 (Unofficial Div. 2 Edition)"),
    ("Harbour Cup 2026 - Round 2 (Div. 1 Edition)", "Harbour Cup 2026 - Round 2 (Div. 2 Edition)"),
    ("Harbour Cup - Finals", "Harbour Cup - Finals, online mirror"),
    ("Harbour Cup - Finals", "Harbour Cup - Finals (unofficial online-version)"),
    ("Harbour Cup - Final (Engine)", "Codeforces Round 7 (Div. 1 + Div. 2, based on Harbour Cup - Final, Engine)"),
    ("Codeforces Round 7 (Div. 1, based on Harbour Cup)", "Codeforces Round 8 (Div. 2, based on Harbour Cup)"),
    ("Harbour Cup - Round 2 and Codeforces Round 7 (Div. 1)", "Codeforces Round 7 (Div. 2)"),
    ("Codeforces Round 7 and Practice (Div. 1)", "Codeforces Round 7 and Practice (Div. 2)"),
]
TWO = [
    ("Codeforces Round 1116 (Div. 1)", "Codeforces Round 1117 (Div. 2)"),
    ("Codeforces Round 1116 (Div. 2)", "Codeforces Round 1116 (Div. 2)"),
    ("Harbour Cup", "Harbour Cup"),
    ("Harbour Cup, online mirror", "Harbour Cup, online mirror"),
    ("Harbour Cup", "Codeforces Round 1116 (Div. 2)"),
    ("Educational Codeforces Round 5 (Rated for Div. 2)", "Codeforces Round 5 (Div. 1)"),
    ("Codeforces Round 1 and Practice (Div. 1)", "Codeforces Round 2 and Practice (Div. 2)"),
    ("Codeforces Round 1 and Practice 5 (Div. 1)", "Codeforces Round 2 and Practice 5 (Div. 2)"),
    ("Harbour Cup and Finals (Div. 1)", "Tide Cup and Finals (Division 2)"),
    ("Codeforces Round 1 (Div. 1) and Practice", "Codeforces Round 2 (Div. 2) and Practice"),
    ("Harbour Cup and Practice (Div. 1)", "Practice (Div. 2)"),
    ("2255", "2256"),
    ("(Div. 1)", "(Div. 2)"),
    ("", ""),
    ("(" * 9000, "Div. 1 + " * 9000),
]


def test_divisions_and_mirrors_are_one_round() -> None:
    for one, other in ONE:
        assert same_round(one, other), (one, other)
        assert same_round(other, one), (one, other)


def test_other_contests_are_not() -> None:
    for one, other in TWO:
        assert not same_round(one, other), (one, other)
        assert not same_round(other, one), (one, other)
