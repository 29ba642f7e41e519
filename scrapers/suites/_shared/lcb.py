"""What LiveCodeBench's files share: the platforms they name."""

PLATFORMS = {"leetcode": "LeetCode", "atcoder": "AtCoder", "codeforces": "Codeforces"}
