"""Elements and attributes of problem.xml that are unknown, or known but not applied."""

from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree import ElementTree as Xml

from scrapers.packages import common as shared
from scrapers.packages.common import PackageDraft

_MAX_NOTED: Final = 50
# By element its known attributes and child elements: those that are read, and those that decide no verdict.
_KNOWN: Final[Mapping[str, tuple[str, str]]] = {
    ".": ("revision short-name url",
          "names statements tutorials judging files assets properties stresses documents tags"),
    "judging": ("cpu-name cpu-speed input-file output-file run-count treat-points-from-checker-as-percent", "testset"),
    "judging/testset": ("name",
                        "time-limit memory-limit test-count input-path-pattern answer-path-pattern tests groups"),
    "judging/testset/tests/test": ("method cmd sample group points description from-file", ""),
    "judging/testset/groups/group": ("name points points-policy feedback-policy", "dependencies"),
    "assets": ("", "checker interactor validators solutions"),
    "assets/checker": ("name type", "source binary copy testset"),
    "assets/interactor": ("name type", "source binary runs testset"),
    "assets/validators/validator": ("", "source binary testset"),
    "assets/solutions/solution": ("tag", "source binary extra-tags"),
    "assets/solutions/solution/extra-tags/extra-tag": ("tag group testset", ""),
    "files": ("", "resources executables attachments"),
    "files/resources/file": ("path type for-types", "stages assets"),
    "files/executables/executable": ("", "source binary"),
}  # fmt: skip


def note_unread(draft: PackageDraft, root: Xml.Element, testset: Xml.Element, text: str) -> None:
    """Note each unknown element and attribute once, with its line in the text, and the known ones that are not
    applied."""
    unknown = list(dict.fromkeys(_unknown_parts(root)))
    for what, name, parent in unknown[:_MAX_NOTED]:
        line = shared.line_of(text, name)
        draft.notes.append(
            f"problem.xml:{line}: the {what} {name!r:.60} of <{parent}> is not known, and changes nothing here"
        )
    if len(unknown) > _MAX_NOTED:
        draft.notes.append(f"problem.xml: more than {_MAX_NOTED} elements and attributes are not known")
    draft.notes += _unapplied_notes(root, testset)


def _unknown_parts(root: Xml.Element) -> Iterator[tuple[str, str, str]]:
    for path, (attributes, elements) in _KNOWN.items():
        known_attributes, known_elements = set(attributes.split()), set(elements.split())
        for element in [root] if path == "." else root.iterfind(path):
            yield from (("attribute", name, element.tag) for name in element.attrib if name not in known_attributes)
            yield from (("element", child.tag, element.tag) for child in element if child.tag not in known_elements)


def _unapplied_notes(root: Xml.Element, testset: Xml.Element) -> Iterator[str]:
    policies = dict.fromkeys(group.get("points-policy") or "" for group in testset.iterfind("groups/group"))
    if named := ", ".join(policy for policy in policies if policy):
        yield f"the points policies of its groups ({named:.200}) are not applied: no points are given here"
    if _is_true(root.find("judging"), "treat-points-from-checker-as-percent"):
        yield "points of the checker are percent of a test's points: no points are given here"
    for role, path in (
        ("checker", "assets/checker"), ("validators", "assets/validators/validator"),
        ("interactor", "assets/interactor"),
    ):  # fmt: skip
        count = len(root.findall(f"{path}/testset/tests/test"))
        if count:
            yield f"the package has tests of its {role} ({count}), which are not run here"
    runs = len(root.findall("assets/interactor/runs/run"))
    if runs > 1:
        yield f"the interactor is for {runs} runs of a program, of which there is one here"
    linked = [
        file.get("path") or "?"
        for file in root.iterfind("files/resources/file")
        if file.get("for-types") or file.find("stages") is not None or file.find("assets") is not None
    ]
    for path in linked[:_MAX_NOTED]:
        yield f"{path:.200}: the package compiles or runs programs with this file, which is not done here"


def _is_true(element: Xml.Element | None, name: str) -> bool:
    return element is not None and element.get(name) == "true"
