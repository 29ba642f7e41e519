"""Comparison rules: against plain definitions, in pieces of every size, and on hostile outputs."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.work import little_work

from app.domain.errors import InvalidProblem
from app.domain.judging.checkers import close, compare_text, text_bytes, tolerances
from app.domain.problems import Checker, CheckerKind


def same(
    kind: str, got: bytes | str, expected: str, *, piece: int = 3, ignore_case: bool = False, **options: float
) -> bool:
    """Feed `got` in small pieces."""
    data = got if isinstance(got, bytes) else got.encode()
    rules = Checker(CheckerKind(kind), options.get("abs"), options.get("rel"), ignore_case=ignore_case)
    comparison = compare_text(rules, expected)
    for start in range(0, len(data), piece):
        comparison.feed(data[start : start + piece])
    return comparison.finish()


# --- text against plain definitions -----------------------------------------------------------------------------------


def plain_lines(text: bytes) -> list[bytes]:
    lines = [line.rstrip() for line in text.split(b"\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def plain_unordered(text: bytes) -> Counter[bytes]:
    return Counter(b" ".join(line.split()) for line in text.split(b"\n") if line.split())


PLAIN: dict[str, Callable[[bytes], object]] = {
    "tokens": bytes.split,
    "lines": plain_lines,
    "exact": bytes,
    "float": bytes.split,
    "unordered": plain_unordered,
}
_LOWER = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
TEXTS = st.text(alphabet="ab \n\t\r", max_size=12)


@pytest.mark.parametrize("kind", PLAIN)
@given(expected=TEXTS, other=TEXTS, noise=st.sampled_from(["", "\n", " ", " \n\n", "\t"]), piece=st.integers(1, 5))
def test_text_kinds_agree_with_their_definitions(kind: str, expected: str, other: str, noise: str, piece: int) -> None:
    for got in (other, expected, expected + noise, noise + expected, expected.replace("\n", noise + "\n")):
        wanted = PLAIN[kind](got.encode()) == PLAIN[kind](expected.encode())
        assert same(kind, got, expected, piece=piece) is wanted


@pytest.mark.parametrize("kind", PLAIN)
def test_bytes_that_are_no_text_compare_as_bytes(kind: str) -> None:
    assert same(kind, b"\xff\x00\xfe", "\udcff\x00\udcfe")
    assert not same(kind, b"\xff\x00", "\udcff")
    assert same(kind, text_bytes("\ud800"), "\ud800")


@pytest.mark.parametrize("kind", ["testlib", "kattis"])
def test_kinds_that_run_a_program_are_no_comparison(kind: str) -> None:
    with pytest.raises(InvalidProblem):
        compare_text(Checker(CheckerKind(kind)), "")


# --- case -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PLAIN)
@given(expected=st.text(alphabet="aAzZ@[`{\u00e9\u00c9\u0130k\u212a \n", max_size=10), data=st.data())
def test_case_counts_unless_it_is_ignored(kind: str, expected: str, data: st.DataObject) -> None:
    got = "".join(data.draw(st.sampled_from([sign, sign.swapcase()])) for sign in expected)
    folded = [text.encode().translate(_LOWER) for text in (got, expected)]
    piece = data.draw(st.integers(1, 5))
    assert same(kind, got, expected, piece=piece, ignore_case=True) is (
        PLAIN[kind](folded[0]) == PLAIN[kind](folded[1])
    )
    assert same(kind, got, expected, piece=piece) is (PLAIN[kind](got.encode()) == PLAIN[kind](expected.encode()))


def test_only_ascii_letters_have_two_cases() -> None:
    cases: list[tuple[bytes | str, str, bool]] = [
        ("YES", "yes", True),
        ("yes", "YES", True),
        ("\u00c9", "\u00e9", False),
        ("\u0130", "i", False),
        ("\u212a", "k", False),
        (b"\xc0", "\udce0", False),
        (b"\xc0A", "\udcc0a", True),
        ("@", "`", False),
    ]
    for kind in PLAIN:
        for got, expected, alike in cases:
            assert same(kind, got, expected, ignore_case=True) is alike, (kind, got, expected, alike)


def test_numbers_are_numbers_in_either_case() -> None:
    assert same("float", "1E0 NaN INF Yes", "1.0000001 nan inf yES", ignore_case=True)
    assert not same("float", "1E1", "1", ignore_case=True)


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_numbers_with_the_default_tolerance() -> None:
    for piece in [1, 2, 1000]:
        for got, expected, alike in [
            ("1.0000001", "1", True),
            ("1.00001", "1", False),
            ("1e0 x y", "1 x y", True),
            ("+1.", "1", True),
            (".5", "0.5", True),
            ("1000000.5", "1000000", True),
            ("1000002", "1000000", False),
            ("-0", "0", True),
            ("x", "y", False),
            ("1 2", "1", False),
            ("1", "1 2", False),
            ("", "", True),
            ("nan", "1", False),
            ("inf", "1e308", False),
            ("nan", "nan", True),
            ("inf", "inf", True),
            ("0x1p0", "1", False),
            ("1_0", "10", False),
            ("1", "one", False),
            ("one", "1", False),
            ("1e999999", "1e999998", False),
            ("2" + "0" * 400, "1" + "0" * 400, False),
            ("1" + "0" * 400, "1" + "0" * 400, True),
            ("١", "1", False),
        ]:
            assert same("float", got, expected, piece=piece) is alike, (piece, got, expected, alike)


def test_tolerances_as_given() -> None:
    assert tolerances(Checker()) == (1e-6, 1e-6)
    assert tolerances(Checker(abs=0.1)) == (0.1, 0.0)
    assert tolerances(Checker(rel=0.1)) == (0.0, 0.1)
    assert same("float", "10.05", "10", abs=0.1)
    assert not same("float", "1000.5", "1000", abs=0.1)
    assert same("float", "1050", "1000", rel=0.1)
    assert not same("float", "0.05", "0", rel=0.1)


@pytest.mark.parametrize(
    ("got", "expected", "absolute", "relative", "alike"),
    [
        ("1e+0000002", "100", 1e-6, 1e-6, True),
        ("1E-0000000000000000002", ".01", 0, 0, True),
        ("+007", "7", 0, 0, True),
        ("5.", "5", 0, 0, True),
        ("1e", "1", 1, 1, False),
        (".", "0", 1, 1, False),
        ("0x10", "16", 1, 1, False),
        ("inf", "1", 1, 1, False),
        # Numbers that a double does not tell from 0, from another or from infinity.
        ("1e-4000", "0", 0, 0, False),
        ("1e-4000", "0", 0, 1e-6, False),
        ("1e-4000", "0", 1e-6, 1e-6, True),
        ("4.9e-324", "0", 0, 0, False),
        ("-0.0e5", "0", 0, 0, True),
        ("9007199254740993", "9007199254740992", 0, 0, False),
        ("1e400", "10e399", 0, 0, True),
        ("1" + "0" * 4000, "1.1e4000", 0, 0.1, True),
        ("1e308", "-1e308", 1, 1, False),
        ("1e308", "-1e308", 0, 2, True),
        # At the limit itself, and a little beyond.
        ("1.1", "1.0", 0.1, 0, True),
        ("1.10000000000000001", "1.0", 0.1, 0, False),
        ("-1e-1000", "-1", 1, 0, True),
        ("1e-1000", "-1", 1, 0, False),
        # Exponents that nothing could write out.
        ("1e999999999999", "10e999999999998", 0, 0, True),
        ("1e999999999999", "1e999999999998", 1e-6, 1e-6, False),
        ("1e-999999999999", "0", 0, 0, False),
        ("1e" + "9" * 4000, "1", 1e300, 1, False),
        ("1e-" + "9" * 4000, "0", 1e-9, 0, True),
        ("1e-" + "9" * 4000, "0", 0, 0, False),
        ("0e" + "9" * 4000, "0", 0, 0, True),
    ],
)
def test_numbers_are_compared_as_they_are_written(
    got: str, expected: str, absolute: float, relative: float, *, alike: bool
) -> None:
    with little_work():
        assert same("float", got, expected, abs=absolute, rel=relative) is alike
        assert same("float", got.lower(), expected.lower(), abs=absolute, rel=relative, ignore_case=True) is alike


@pytest.mark.parametrize(
    ("got", "expected", "alike"),
    [
        ("1.01 a\n", "1 A\n", True),
        ("1.2 a\n", "1 a\n", False),
        ("1  a\n", "1 a\n", False),
        ("1\ta\n", "1 a\n", False),
        ("1 a", "1 a\n", False),
        (" 1 a\n", "1 a\n", False),
        ("1 a\n", "1\na\n", False),
        ("1.00000001", "1", True),
        ("1 1", "11", False),
        ("", "", True),
        ("\n", "", False),
    ],
)
def test_white_space_counts_beside_numbers_where_a_problem_says_so(got: str, expected: str, *, alike: bool) -> None:
    for piece in (1, 2, 100):
        comparison = compare_text(Checker(CheckerKind.FLOAT, 0.1, 0, ignore_case=True, spaced=True), expected)
        for start in range(0, len(got), piece):
            comparison.feed(got[start : start + piece].encode())
        comparison.feed(b"")
        assert comparison.finish() is alike, piece


@pytest.mark.parametrize("end", ["x", ".0", ""])
def test_long_numbers_take_linear_time(end: str) -> None:
    number = "1" * 400_000
    with little_work():
        assert same("float", number, number + end, piece=1 << 16, abs=0, rel=0) is (end != "x")


def test_close_takes_the_wider_tolerance_and_keeps_infinities_apart() -> None:
    inf, nan = float("inf"), float("nan")
    assert close(1.5, 1.0, 0.5, 0.0)
    assert not close(1.5, 1.0, 0.4, 0.4)
    assert close(inf, inf, 0, 0)
    assert close(nan, nan, 0, 0)
    assert not close(inf, -inf, inf, inf)
    assert not close(1.0, inf, inf, inf)


# --- hostile outputs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("unit", [b"1", b" ", b"\n", b"1 ", b"1\n", b" \n", b"\r"], ids=repr)
def test_long_outputs_take_linear_time_and_little_memory(kind: str, unit: bytes) -> None:
    piece = unit * ((1 << 16) // len(unit))
    comparison = compare_text(Checker(CheckerKind(kind)), "1 2\n3\n")
    with little_work():
        for _ in range(64):
            comparison.feed(piece)
        assert comparison.finish() is False


def test_blanks_held_back_still_count_when_something_follows() -> None:
    assert same("lines", " " * 9 + "a" + "\n" * 9 + "b", " " * 9 + "a" + "\n" * 9 + "b", piece=2)
    assert not same("lines", "a" + "\n" * 500 + "b", "a\n\nb")
    assert not same("lines", "a" + " " * 500 + "b", "a  b")
