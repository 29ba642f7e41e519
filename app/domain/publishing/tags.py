"""Topics of problems, in one vocabulary for all sites.

Sites have their own tags: Codeforces says "dfs and similar", LeetCode "Depth-First Search" or "depth-first-search".
Each known tag is one topic here; a tag this table does not know is kept beside the topics, as the site wrote it.
AtCoder has no tags.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple


class Topic(StrEnum):
    """Topic of a problem."""

    ARRAYS = "arrays"
    BACKTRACKING = "backtracking"
    BINARY_SEARCH = "binary-search"
    BIT_MANIPULATION = "bit-manipulation"
    BRUTE_FORCE = "brute-force"
    COMBINATORICS = "combinatorics"
    CONCURRENCY = "concurrency"
    CONSTRUCTIVE = "constructive"
    COUNTING = "counting"
    DATA_ANALYSIS = "data-analysis"
    DATA_STRUCTURES = "data-structures"
    DATABASE = "database"
    DESIGN = "design"
    DFS_BFS = "dfs-bfs"
    DIVIDE_AND_CONQUER = "divide-and-conquer"
    DYNAMIC_PROGRAMMING = "dynamic-programming"
    FFT = "fft"
    FLOWS = "flows"
    GAMES = "games"
    GEOMETRY = "geometry"
    GRAPHS = "graphs"
    GREEDY = "greedy"
    HASHING = "hashing"
    HEAP = "heap"
    INTERACTIVE = "interactive"
    INTERVALS = "intervals"
    LINKED_LISTS = "linked-lists"
    MATCHINGS = "matchings"
    MATH = "math"
    MATRICES = "matrices"
    NUMBER_THEORY = "number-theory"
    PARSING = "parsing"
    PREFIX_SUM = "prefix-sum"
    PROBABILITY = "probability"
    RANDOMIZED = "randomized"
    RECURSION = "recursion"
    SATISFIABILITY = "satisfiability"
    SCHEDULING = "scheduling"
    SEGMENT_TREE = "segment-tree"
    SHELL = "shell"
    SHORTEST_PATHS = "shortest-paths"
    SIMULATION = "simulation"
    SLIDING_WINDOW = "sliding-window"
    SORTING = "sorting"
    STACK_QUEUE = "stack-queue"
    STRING_MATCHING = "string-matching"
    STRINGS = "strings"
    TERNARY_SEARCH = "ternary-search"
    TREES = "trees"
    TWO_POINTERS = "two-pointers"
    UNION_FIND = "union-find"


class SortedTags(NamedTuple):
    """Sorted tags: `topics` in the order of the vocabulary, `others` as they were written."""

    topics: tuple[Topic, ...]
    others: tuple[str, ...]


# Other spellings of each topic, as `_fold_tag` returns them; a topic's own name always counts.
_OTHER_SPELLINGS: Final[Mapping[Topic, str]] = {
    Topic.ARRAYS: "array",
    Topic.BINARY_SEARCH: "quickselect",
    Topic.BIT_MANIPULATION: "bitmasks bitmask",
    Topic.BRUTE_FORCE: "enumeration meet-in-the-middle",
    Topic.CONSTRUCTIVE: "constructive-algorithms",
    Topic.DATA_STRUCTURES: "data-structure ordered-set data-stream iterator",
    Topic.DFS_BFS: "dfs-and-similar depth-first-search breadth-first-search dfs bfs",
    Topic.DYNAMIC_PROGRAMMING: "dp memoization",
    Topic.FFT: "convolution",
    Topic.FLOWS: "flow",
    Topic.GAMES: "game-theory",
    Topic.GRAPHS: "graph topological-sort minimum-spanning-tree strongly-connected-component eulerian-circuit "
    "biconnected-component bridges",
    Topic.HASHING: "hash-table hash-function rolling-hash",
    Topic.HEAP: "heap-priority-queue priority-queue",
    Topic.INTERVALS: "interval line-sweep",
    Topic.LINKED_LISTS: "linked-list doubly-linked-list",
    Topic.MATCHINGS: "graph-matchings",
    Topic.MATH: "brainteaser",
    Topic.MATRICES: "matrix grid",
    Topic.NUMBER_THEORY: "chinese-remainder-theorem sieve",
    Topic.PARSING: "expression-parsing",
    Topic.PROBABILITY: "probabilities probability-and-statistics",
    Topic.RANDOMIZED: "reservoir-sampling rejection-sampling",
    Topic.SATISFIABILITY: "2-sat",
    Topic.SCHEDULING: "schedules",
    Topic.SEGMENT_TREE: "binary-indexed-tree",
    Topic.SHORTEST_PATHS: "shortest-path",
    Topic.SIMULATION: "implementation",
    Topic.SORTING: "sortings counting-sort bucket-sort radix-sort merge-sort",
    Topic.STACK_QUEUE: "stack queue monotonic-stack monotonic-queue",
    Topic.STRING_MATCHING: "string-suffix-structures suffix-array trie",
    Topic.STRINGS: "string",
    Topic.TREES: "tree binary-tree binary-search-tree",
    Topic.UNION_FIND: "dsu",
}
_TOPICS: Final[Mapping[str, Topic]] = {
    **{topic.value: topic for topic in Topic},
    **{name: topic for topic, names in _OTHER_SPELLINGS.items() for name in names.split()},
}
_TOPIC_ORDER: Final = {topic: place for place, topic in enumerate(Topic)}
_GAP: Final = re.compile(r"[^0-9a-z]+")
_MAX_TAG_CHARS: Final = 60  # no known tag is nearly as long


def split_tags(tags: Iterable[str]) -> SortedTags:
    """Return a problem's tags as topics, each once, and the tags that are no topics."""
    topics: set[Topic] = set()
    others: dict[str, None] = {}
    for tag in tags:
        topic = _TOPICS.get(_fold_tag(tag)) if len(tag) <= _MAX_TAG_CHARS else None
        if topic is None:
            others[tag] = None
        else:
            topics.add(topic)
    return SortedTags(tuple(sorted(topics, key=_TOPIC_ORDER.__getitem__)), tuple(others))


def _fold_tag(tag: str) -> str:
    return _GAP.sub("-", tag.lower()).strip("-")
