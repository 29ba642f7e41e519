"""Common facts of LiveCodeBench's files: the platforms that they name."""

PLATFORMS = {"leetcode": "LeetCode", "atcoder": "AtCoder", "codeforces": "Codeforces"}
