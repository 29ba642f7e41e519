"""Defects that are planted in right programs: one each, on lines that are known, and readable."""

import ast

from app.domain.deriving.defects import MAX_PROGRAM_LINES, Defect, plant_defects
from app.domain.deriving.programs import tidy_program
from app.domain.judging.defects import Category
from app.domain.problems import Entry, Param

STDIN = (
    tidy_program(
        '''
"""Says how many."""
import sys  # for input
count, *numbers = map(int, sys.stdin.read().split())
known = set()
order = []
for number in numbers:
    if number not in known:
        known.add(number)
        order.append(number)
print(count, max(order))
'''
    )
    or ""
)
FUNCTION = (
    "class Solution:\n\n    def total(self, values, most):\n        found = sum(values)\n"
    "        return min(found, most)\n"
)
ENTRY = Entry("total", "Solution", (Param("values", "integer[]"), Param("most", "integer")), "integer")
FLOATS = Entry("total", "Solution", (Param("values", "double[]"), Param("most", "string")), "integer")


def changes(found: list[Defect]) -> set[tuple[tuple[int, ...], str]]:
    return {(defect.lines, defect.after.strip()) for defect in found}


def test_a_tidied_program_has_no_words() -> None:
    assert '"""' not in STDIN
    assert "#" not in STDIN
    assert STDIN.splitlines()[0] == "import sys"
    assert tidy_program("(" * 30_000) is None
    assert tidy_program("def f(:") is None


def test_input_is_evaluated() -> None:
    assert changes(plant_defects(STDIN, None, Category.SECURITY)) == {
        ((2,), "count, *numbers = map(eval, sys.stdin.read().split())")
    }
    assert changes(plant_defects(FUNCTION, ENTRY, Category.SECURITY)) == {
        ((4,), "found = sum(eval(str(values)))"),
        ((5,), "return min(found, eval(str(most)))"),
    }
    assert plant_defects(FUNCTION, FLOATS, Category.SECURITY) == [], "texts and fractions would not stay what they are"


def test_whole_collections_are_copied() -> None:
    assert changes(plant_defects(STDIN, None, Category.PERFORMANCE)) == {
        ((6,), "if number not in list(known):"),
        ((8,), "order = order + [number]"),
        ((9,), "print(count, sorted(order)[-1])"),
    }


def test_a_variable_is_renamed_wherever_it_stands_and_nothing_else_is() -> None:
    found = plant_defects(STDIN, None, Category.NAMING)
    assert {defect.lines for defect in found} == {(2, 9), (2, 5), (3, 6, 7), (4, 8, 9), (5, 6, 7, 8)}
    for defect in found:
        (word,) = {node.id for node in ast.walk(ast.parse(defect.code)) if isinstance(node, ast.Name)} - {
            node.id for node in ast.walk(ast.parse(STDIN)) if isinstance(node, ast.Name)
        }
        assert {n for n, line in enumerate(defect.code.splitlines(), 1) if word in line} == set(defect.lines)
    outside = "def shown(xs, most=3):\n    global kept\n    kept = xs\n    return kept\nprint(shown([1], most=2))\n"
    assert plant_defects(outside, None, Category.NAMING) == [], "an argument, a name of the module, a function"


def test_a_mistake_is_on_one_line_and_of_a_kind_that_people_make() -> None:
    found = plant_defects(STDIN, None, Category.LOGIC)
    assert {"if number in known:", "print(count, min(order))"} <= {text for _lines, text in changes(found)}
    assert not any("break" in defect.after or "if True" in defect.after for defect in found)


def test_one_defect_each_in_the_same_order_every_time() -> None:
    for code, entry in [(STDIN, None), (FUNCTION, ENTRY)]:
        for category in Category:
            found = plant_defects(code, entry, category)
            assert found == plant_defects(code, entry, category), (code, entry, category)
            assert len({defect.code for defect in found}) == len(found), (code, entry, category)
            for defect in found:
                old, new = code.splitlines(), defect.code.splitlines()
                assert len(old) == len(new), (code, entry, category)
                changed = [number for number, pair in enumerate(zip(old, new, strict=True), 1) if pair[0] != pair[1]]
                assert changed == list(defect.lines), (code, entry, category)
                assert (defect.before, defect.after) == (old[changed[0] - 1], new[changed[0] - 1]), (
                    code,
                    entry,
                    category,
                )
                assert category is Category.NAMING or len(changed) == 1, (code, entry, category)
                ast.parse(defect.code)


def test_what_is_too_short_or_long_gets_none() -> None:
    for category in Category:
        for code in ["print(1)\n", "x = 1\n" * (MAX_PROGRAM_LINES + 1)]:
            assert plant_defects(code, None, category) == [], (category, code)
