"""Legal inputs of CM items whose text omits or garbles them: the constraints that LeetCode states for the original
problem, by the name of its function. Large sizes are cut to what tells programs apart."""

from collections.abc import Mapping
from typing import Final

CONSTRAINTS: Final[Mapping[str, str]] = {
    "matrixSumQueries": (
        "1 <= n <= 1000\n1 <= queries.length <= 1000\nqueries[i].length == 3\n"
        "0 <= queries[i][0] <= 1\n0 <= queries[i][1] < n\n0 <= queries[i][2] <= 10^5"
    ),
    "countKeyChanges": "1 <= s.length <= 100\ns consists of only upper case and lower case English letters.",
    "maxStrength": "1 <= nums.length <= 13\n-9 <= nums[i] <= 9",
    "maximumLength": "2 <= nums.length <= 1000\n1 <= nums[i] <= 10^9",
    "maxIncreasingCells": "m == mat.length\nn == mat[i].length\n1 <= m, n <= 50\n-10^5 <= mat[i][j] <= 10^5",
    "canTraverseAllPairs": "1 <= nums.length <= 1000\n1 <= nums[i] <= 10^5",
    "isFascinating": "100 <= n <= 999",
    "specialPerm": "2 <= nums.length <= 10\n1 <= nums[i] <= 10^9\nAll elements of nums are unique.",
    "maximumSumQueries": (
        "nums1.length == nums2.length\n1 <= nums1.length <= 1000\n1 <= nums1[i], nums2[i] <= 10^9\n"
        "1 <= queries.length <= 1000\nqueries[i].length == 2\n1 <= queries[i][0] <= 10^9\n1 <= queries[i][1] <= 10^9"
    ),
}
