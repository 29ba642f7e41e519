"""Grammars of every common shape of input."""

from typing import Any

# One grammar a shape: what is written, and what must hold of every input is checked by the grammar itself.
SHAPES: dict[str, dict[str, Any]] = {
    "array": {
        "variables": {"n": "int", "a": "int[]"},
        "constraints": ["1 <= n <= 300", "len(a) == n", "-9 <= a[i] <= 10^9"],
        "layout": ["n", "a"],
    },
    "permutation": {
        "variables": {"n": "int", "p": "int[]"},
        "constraints": ["1 <= n <= 50", "len(p) == n", "permutation(p, 1)"],
        "layout": ["n", "p"],
    },
    "text": {"variables": {"s": "str"}, "constraints": ["1 <= len(s) <= 90", "letters(s, 'a-c')"], "layout": ["s"]},
    "texts": {
        "variables": {"n": "int", "k": "int", "w": "str[]"},
        "constraints": ["1 <= k <= n <= 30", "len(w) == n", "1 <= len(w[i]) <= 9", "letters(w, 'ab')",
                        "sum(len(w[i])) <= 60"],
        "layout": ["n k", "w"],
    },
    "tree": {
        "variables": {"n": "int", "edges": "int[][]"},
        "constraints": ["1 <= n <= 40", "len(edges) == n - 1", "len(edges[i]) == 3", "tree(edges, n, 1)",
                        "1 <= edges[i][2] <= 9"],
        "layout": ["n", "edges"],
    },
    "graph": {
        "variables": {"n": "int", "m": "int", "edges": "int[][]"},
        "constraints": ["2 <= n <= 30", "n - 1 <= m <= n * (n - 1) / 2", "m <= 60", "len(edges) == m",
                        "len(edges[i]) == 2", "graph(edges, n, 1)", "connected(edges, n, 1)"],
        "layout": ["n m", "edges"],
    },
    "dag": {
        "variables": {"n": "int", "edges": "int[][]"},
        "constraints": ["2 <= n <= 20", "0 <= len(edges) <= n * (n - 1) / 2", "len(edges[i]) == 2",
                        "digraph(edges, n)", "acyclic(edges, n)"],
    },
    "digraph": {
        "variables": {"n": "int", "edges": "int[][]"},
        "constraints": ["2 <= n <= 20", "0 <= len(edges) <= n * (n - 1)", "len(edges[i]) == 2", "digraph(edges, n)"],
    },
    "loose edges": {
        "variables": {"n": "int", "edges": "int[][]"},
        "constraints": ["2 <= n <= 9", "0 <= len(edges) <= 20", "len(edges[i]) == 2",
                        "0 <= edges[i][0], edges[i][1] < n",
                        "edges[i][0] != edges[i][1]", "distinct(edges)"],
    },
    "grid": {
        "variables": {"h": "int", "w": "int", "g": "int[][]"},
        "constraints": ["1 <= h, w <= 12", "len(g) == h", "len(g[i]) == w", "0 <= g[i][j] <= 1"],
        "layout": ["h w", "g"],
    },
    "grid of signs": {
        "variables": {"h": "int", "w": "int", "g": "str[]"},
        "constraints": ["1 <= h, w <= 12", "len(g) == h", "len(g[i]) == w", "letters(g, '.#')"],
        "layout": ["h w", "g"],
    },
    "intervals": {
        "variables": {"rows": "int[][]"},
        "constraints": ["1 <= len(rows) <= 40", "len(rows[i]) == 3", "1 <= rows[i][0] <= rows[i][1] <= 10^6",
                        "1 <= rows[i][2] <= 5", "disjoint(rows)"],
    },
    "queries": {
        "variables": {"a": "int[]", "q": "int[][]"},
        "constraints": ["1 <= n == len(a) <= 60", "-5 <= a[i] <= 5", "0 <= len(q) <= 20", "len(q[i]) == 2",
                        "0 <= q[i][0] <= q[i][1] < n"],
    },
    "ladders": {
        "variables": {"start": "int[]", "end": "int[]"},
        "constraints": ["1 <= n <= 12", "n == len(start) == len(end)", "0 <= start[i] < end[i] <= 40",
                        "end[i] <= start[i + 1]"],
    },
    "orders": {
        "variables": {"a": "int[]", "b": "int[]", "c": "int[]", "d": "int[]", "e": "int[]"},
        "constraints": ["0 <= n <= 12", "n == len(a) == len(b) == len(c) == len(d) == len(e)", "sorted(a)",
                        "increasing(b)", "descending(c)", "decreasing(d)", "distinct(e)",
                        "1 <= a[i], b[i], c[i], d[i], e[i] <= 30"],
    },
    "beside each other": {
        "variables": {"n": "int", "names": "str[]", "rows": "int[][]", "flags": "bool[]"},
        "constraints": ["1 <= n <= 9", "n == len(names) == len(rows) == len(flags)", "1 <= len(names[i]) <= 3",
                        "letters(names, 'xyz')", "distinct(names)", "len(rows[i]) == 2",
                        "0 <= rows[i][0], rows[i][1] <= 9"],
        "layout": ["n", "names, rows, flags"],
    },
    "choices": {
        "variables": {"word": "str", "words": "str[]", "sizes": "int[]", "size": "int", "grid": "int[][]"},
        "constraints": ["1 <= len(words) <= 5", "oneof(words, 'up', 'down')", "1 <= len(sizes) <= 5",
                        "oneof(sizes, 3, 7)", "oneof(size, 5, 6)", "0 <= size <= 9", "oneof(word, 'yes', 'no')",
                        "1 <= len(word) <= 3", "1 <= len(words[i]) <= 4", "1 <= len(grid) <= 3",
                        "len(grid) == len(grid[i])", "oneof(grid, 0, 4)"],
    },
    "of one another": {
        "variables": {"s": "str", "t": "str", "part": "str", "n": "str"},
        "constraints": ["1 <= len(s) == len(t) <= 8", "letters(s, 'ab')", "same_letters(t, s)",
                        "1 <= len(part) <= len(s)", "subsequence(part, s)", "1 <= len(n) <= 9", "letters(n, '0-9')",
                        "no_leading_zeros(n)"],
    },
    "signs": {
        "variables": {"square": "str", "stars": "str"},
        "constraints": ["len(square) == 2", "'a' <= square[0] <= 'h'", "'1' <= square[1] <= '8'",
                        "2 <= len(stars) <= 9", "letters(stars, 'ab*')", "count(stars, '*', 2)"],
    },
    "primes": {
        "variables": {"p": "int[]", "one": "int"},
        "constraints": ["1 <= len(p) <= 9", "2 <= p[i] <= 10^9", "prime(p)", "2 <= one <= 100", "prime(one)"],
    },
    "square": {
        "variables": {"n": "int", "cost": "int[][]", "yes": "bool"},
        "constraints": ["1 <= n <= 9", "n == len(cost) == len(cost[i])", "0 <= cost[i][j] <= 9", "cost[i][i] == 0"],
    },
    "jagged": {
        "variables": {"rows": "int[][]", "deep": "int[][][]"},
        "constraints": ["1 <= len(rows) <= 6", "0 <= len(rows[i]) <= 4", "0 <= rows[i][j] <= 3",
                        "1 <= len(deep), len(deep[i]) <= 3", "1 <= len(deep[i][j]) <= 2", "0 <= deep[i][j][k] <= 3"],
    },
    "cases": {
        "variables": {"n": "int", "a": "int[]"},
        "constraints": ["1 <= n <= 2000", "len(a) == n", "1 <= a[i] <= n"],
        "layout": ["n", "a"],
        "cases": {"most": 100, "totals": ["n <= 2000"]},
    },
    "twins": {
        "variables": {"rows": "int[][]", "a": "int[]", "b": "int[]"},
        "constraints": ["1 <= n <= 20", "n == len(rows) == len(a) == len(b)", "len(rows[i]) == 2",
                        "1 <= rows[i][0] <= rows[i][1] <= 40", "1 <= a[i] < b[i] <= 90", "a[i] <= rows[i][1]",
                        "b[i] != rows[i][0]"],
    },
    "routes": {
        "variables": {"n": "int", "m": "int", "routes": "int[][]"},
        "constraints": ["2 <= n <= 30", "1 <= m <= 60", "len(routes) == m", "len(routes[i]) == 3",
                        "1 <= routes[i][0], routes[i][1] <= n", "routes[i][0] != routes[i][1]",
                        "1 <= routes[i][2] <= 99"],
        "layout": ["n m", "routes"],
    },
    "cases of two": {
        "variables": {"n": "int", "a": "int[]"},
        "constraints": ["1 <= n <= 6", "len(a) == n", "1 <= a[i] <= 6"],
        "layout": ["n", "a"],
        "cases": {"least": 2, "most": 4, "totals": ["n <= 8"]},
    },
    "far apart": {
        "variables": {"low": "int", "high": "int", "big": "int", "x": "int[]", "few": "str[]", "s": "str", "p": "str"},
        "constraints": ["0 <= low", "low + 1000 <= high <= 10^6", "0 <= big <= 10^35", "1 <= len(x) <= 9",
                        "0 <= x[i] <= 9", "x[3] <= 5", "x[i] + x[i] <= 18", "0 <= len(few) <= 3",
                        "1 <= len(few[i]) <= 2", "letters(few, 'a')", "distinct(few)", "1 <= len(s) <= 5",
                        "letters(s, 'ab')", "1 <= len(p) <= 5", "subsequence(p, s)"],
    },
    "tables of words": {
        "variables": {"t": "str[][]", "x": "int[]"},
        "constraints": ["1 <= len(t), len(t[i]) <= 3", "1 <= len(t[i][j]) <= 2", "letters(t, 'ab')",
                        "1 <= len(x) <= 3", "0 <= x[i] <= 9", "x[0] == 4"],
    },
    "as long as told": {
        "variables": {"w": "str[]", "a": "int[]"},
        "constraints": ["1 <= n <= 9", "n == len(w) == len(a)", "1 <= len(w[i]) <= a[i] <= 6", "letters(w, 'ab')"],
    },
    "hidden width": {
        "variables": {"g": "int[][]"},
        "constraints": ["m == len(g)", "n == len(g[i])", "1 <= m, n <= 9", "0 <= g[i][j] <= 1"],
    },
    "divisible": {
        "variables": {"s": "str", "k": "int"},
        "constraints": ["1 <= len(s) <= 60", "1 <= k <= len(s)", "len(s) % k == 0", "letters(s, 'ab')"],
    },
}  # fmt: skip
