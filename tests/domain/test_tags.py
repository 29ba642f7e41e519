"""Topics: every tag the sites use is one, in each of their spellings; what is not known is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.publishing.tags import SortedTags, Topic, split_tags

CODEFORCES = (
    "2-sat", "binary search", "bitmasks", "brute force", "chinese remainder theorem", "combinatorics",
    "constructive algorithms", "data structures", "dfs and similar", "divide and conquer", "dp", "dsu",
    "expression parsing", "fft", "flows", "games", "geometry", "graph matchings", "graphs", "greedy", "hashing",
    "implementation", "interactive", "math", "matrices", "meet-in-the-middle", "number theory", "probabilities",
    "schedules", "shortest paths", "sortings", "string suffix structures", "strings", "ternary search", "trees",
    "two pointers",
)  # fmt: skip
LEETCODE = (
    "Array", "Backtracking", "Biconnected Component", "Binary Indexed Tree", "Binary Search", "Binary Search Tree",
    "Binary Tree", "Bit Manipulation", "Bitmask", "Brainteaser", "Breadth-First Search", "Bucket Sort", "Combinatorics",
    "Concurrency", "Counting", "Counting Sort", "Data Stream", "Database", "Depth-First Search", "Design",
    "Divide and Conquer", "Doubly-Linked List", "Dynamic Programming", "Enumeration", "Eulerian Circuit", "Game Theory",
    "Geometry", "Graph", "Greedy", "Hash Function", "Hash Table", "Heap (Priority Queue)", "Interactive", "Iterator",
    "Line Sweep", "Linked List", "Math", "Matrix", "Memoization", "Merge Sort", "Minimum Spanning Tree",
    "Monotonic Queue", "Monotonic Stack", "Number Theory", "Ordered Set", "Prefix Sum", "Probability and Statistics",
    "Queue", "Quickselect", "Radix Sort", "Randomized", "Recursion", "Rejection Sampling", "Reservoir Sampling",
    "Rolling Hash", "Segment Tree", "Shell", "Shortest Path", "Simulation", "Sliding Window", "Sorting", "Stack",
    "String", "String Matching", "Strongly Connected Component", "Suffix Array", "Topological Sort", "Tree", "Trie",
    "Two Pointers", "Union Find",
)  # fmt: skip


def test_every_tag_of_the_sites_is_a_topic() -> None:
    for tag in CODEFORCES + LEETCODE:
        slug = "-".join(tag.lower().replace("(", "").replace(")", "").split())
        assert split_tags([tag]) == split_tags([slug]) == split_tags([tag.upper()]), tag
        assert len(split_tags([tag]).topics) == 1, tag
        assert split_tags([tag]).others == (), tag


def test_a_topic_is_its_own_tag() -> None:
    for topic in Topic:
        assert split_tags([topic.value]) == SortedTags((topic,), ()), topic


def test_two_words_for_one_topic_are_one_and_order_is_the_vocabularys() -> None:
    found = split_tags(["trees", "dfs and similar", "Breadth-First Search", "dp", "dfs and similar"])
    assert found == ((Topic.DFS_BFS, Topic.DYNAMIC_PROGRAMMING, Topic.TREES), ())


def test_an_unknown_tag_is_kept_as_it_was_written() -> None:
    assert split_tags(["*special", "Quantum Things", "dp", "*special"]) == (
        (Topic.DYNAMIC_PROGRAMMING,),
        ("*special", "Quantum Things"),
    )


@given(st.lists(st.text(max_size=200), max_size=20))
def test_nothing_is_dropped_whatever_a_tag_is(tags: list[str]) -> None:
    found = split_tags(tags)
    assert set(found.others) <= set(tags)
    assert all(len(split_tags([tag]).topics) + len(split_tags([tag]).others) == 1 for tag in tags)


@pytest.mark.parametrize("tag", ["", "\x00", "\ud800", "-" * 1_000_000, "dp" * 1_000_000, "動的計画法"])
def test_hostile_tags_are_others(tag: str) -> None:
    assert split_tags([tag]) == ((), (tag,))
