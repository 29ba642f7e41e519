"""Tests with one expected value another one: which values, what they become, and what is left alone."""

import textwrap

from app.domain.unittests.perturbation import perturb_expected


def source(body: str, head: str = "def test_it(self):", more: str = "") -> str:
    method = f"{head}\n{textwrap.indent(body, '    ')}"
    return "import unittest\nclass T(unittest.TestCase):\n" + textwrap.indent(f"{more}{method}\n", "    ")


def changed(body: str, **given: str) -> list[str]:
    """The lines that each perturbation changes."""
    before = source(body, **given)
    found = perturb_expected(before, "T.test_it")
    lines = before.split("\n")
    for after in found:
        assert len(after.split("\n")) == len(lines), "lines stay where they are"
    return [
        "\n".join(new.strip() for old, new in zip(lines, after.split("\n"), strict=True) if old != new)
        for after in found
    ]


def test_each_value_becomes_another() -> None:
    for body, becomes in [
        ("self.assertEqual(f(1), 2)", "self.assertEqual(f(1), (3))"),
        ("self.assertEqual('é', f())  # é", "self.assertEqual(('éx'), f())  # é"),
        ("self.assertEqual(f(), True)", "self.assertEqual(f(), (False))"),
        ("self.assertListEqual(f(), [1])", "self.assertListEqual(f(), ([1, 'another value']))"),
        ("self.assertDictEqual(f(), {})", "self.assertDictEqual(f(), ({'another value': 1}))"),
        ("self.assertEqual(f(), None)", "self.assertEqual(f(), ('another value'))"),
        ("wanted = 2\nself.assertEqual(f(1), wanted)", "wanted = (3)"),
        ("w = [2]\nself.assertEqual(f(), w)\nfake.assertIn(1, set(w))", "w = ([2, 'another value'])"),
        ("w = [2]\nself.assertEqual(f(), w)\nw.append(3)", "self.assertEqual(f(), ({'another value': w}))"),
        ("w = 2\nx.assertRaises(E, f, w)\nself.assertEqual(f(), w)", "self.assertEqual(f(), ({'another value': w}))"),
        ("x = 2\nself.assertEqual(f(x), x)", "self.assertEqual(f(x), ({'another value': x}))"),
        ("self.assertEqual(f(), self.wanted)", "self.assertEqual(f(), ({'another value': self.wanted}))"),
        ("self.assertEqual(1e300, f())", "self.assertEqual(1e300, ({'another value': f()}))"),
        ("self.assertTrue(f())", "(self.assertFalse)(f())"),
        ("self.assertIn(1, f())", "(self.assertNotIn)(1, f())"),
        ("self.assertGreater(f(), 1)", "(self.assertLessEqual)(f(), 1)"),
        ("self.assertAlmostEqual(f(), 1, delta=3)", "(self.assertNotAlmostEqual)(f(), 1, delta=3)"),
        ("assert f() == 1, 'no'", "assert (not (f() == 1)), 'no'"),
        ("self.assertRaises(ValueError, f)", "self.assertRaises((BufferError), f)"),
        ("with self.assertRaises(ValueError):\n    f()", "with self.assertRaises((BufferError)):"),
        ("with open('x') as file:\n    self.assertTrue(file)", "(self.assertFalse)(file)"),
        ("self.assertEqual(f(), [\n    1,\n])", "self.assertEqual(f(), ([1, 'another value']\n\n))"),
    ]:  # fmt: skip
        assert changed(body) == [becomes], (body, becomes)


def test_what_may_not_run_stays() -> None:
    for body in [
        "for x in f():\n    self.assertEqual(x, 1)",
        "if f():\n    self.assertEqual(f(), 1)",
        "try:\n    self.assertEqual(f(), 1)\nfinally:\n    pass",
        "if f():\n    return\nself.assertEqual(f(), 1)",
        "if f():\n    self.skipTest('no')\nself.assertEqual(f(), 1)",
        "with contextlib.suppress(Exception):\n    self.assertEqual(f(), 1)",
        "fake.assert_called_once()",
        "other.assertEqual(f(), 1)",
        "self.assertEqual(*f())",
    ]:
        assert changed(body) == [], body


def test_several_values_one_at_a_time_and_not_too_many() -> None:
    assert changed("self.assertEqual(f(1), 2)\nself.assertIsNone(f(2))") == [
        "self.assertEqual(f(1), (3))", "(self.assertIsNotNone)(f(2))",
    ]  # fmt: skip
    assert len(changed("self.assertTrue(f())\n" * 40)) == 12


def test_a_fixtures_value_is_another_one_where_it_is_bound() -> None:
    fixture = "def setUp(self):\n    self.wanted = 2\n"
    assert changed("self.assertEqual(f(), self.wanted)", more=fixture) == ["self.wanted = (3)"]
    others = fixture + "def test_other(self):\n    self.assertEqual(f(self.wanted), self.wanted)\n"
    assert changed("self.assertEqual(f(), self.wanted)\nassert self.wanted > 1", more=others) == [
        "self.wanted = (3)", "assert (not (self.wanted > 1))",
    ]  # fmt: skip
    twice = "self.assertEqual(f(self.wanted), self.wanted)"
    assert changed(twice, more=fixture) == ["self.assertEqual(f(self.wanted), ({'another value': self.wanted}))"]


def test_the_assertions_of_a_helper_are_the_tests() -> None:
    helper = "def base(self, given, wanted):\n    self.base(1, 2)\n    self.assertEqual(f(given), wanted)\n"
    assert changed("self.base(1, 2)", more=helper) == ["self.assertEqual(f(given), ({'another value': wanted}))"]
    assert changed("self.base(1, 2)", more="@patched\n" + helper) == []


def test_tests_that_are_other_than_they_read_stay() -> None:
    body = "self.assertEqual(f(), 1)"
    assert changed(body, head="async def test_it(self):") == ["self.assertEqual(f(), (2))"]
    assert changed(body, head="@patch('a')\ndef test_it(self, fake):") == ["self.assertEqual(f(), (2))"]
    assert changed(body, head="@unittest.expectedFailure\ndef test_it(self):") == []
    assert changed(body, more="def assertEqual(self, one, other): pass\n") == []
    assert perturb_expected(source(body), "T.test_other") == ()
    assert perturb_expected(source(body) + source(body), "T.test_it") == ()
    assert perturb_expected("def test_it():\n    assert f() == 1\n", "test_it") == (
        "def test_it():\n    assert (not (f() == 1))\n",
    )
