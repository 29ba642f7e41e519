// From the last place on, with all pairs of digits: what carries, and which of the numbers is too great so far.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    static long long up_to(long long a, long long b, int base, int carries) {
        if (a < 0 || b < 0) return 0;
        using Row = vector<long long>;
        auto at = [](int carry, int above_x, int above_y) { return carry * 4 + above_x * 2 + above_y; };
        vector<Row> counts(8, Row(carries + 1));
        counts[0][0] = 1;
        for (; a || b; a /= base, b /= base) {
            vector<Row> after(8, Row(carries + 1));
            int p = a % base, q = b % base;
            for (int state = 0; state < 8; ++state)
                for (int x = 0; x < base; ++x)
                    for (int y = 0; y < base; ++y) {
                        int carry = state / 4, out = x + y + carry >= base;
                        if (carry && out) continue;
                        int above_x = x > p || (x == p && (state & 2)), above_y = y > q || (y == q && (state & 1));
                        Row& row = after[at(out, above_x, above_y)];
                        for (int k = out; k <= carries; ++k) row[k] += counts[state][k - out];
                    }
            counts = after;
        }
        return counts[0][carries] + counts[4][carries];
    }

public:
    long long countPairs(vector<long long>& low, vector<long long>& high, int base, int carries) {
        auto count = [&](long long a, long long b) { return up_to(a, b, base, carries); };
        return count(high[0], high[1]) - count(low[0] - 1, high[1]) - count(high[0], low[1] - 1) +
               count(low[0] - 1, low[1] - 1);
    }
};
