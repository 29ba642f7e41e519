// Trees over all values hold how many reports of the stretch have at most a value, and their sum.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    static const int SIZE = 1 << 17, SHIFT = 50001;
    vector<int> counts = vector<int>(SIZE + 1);
    vector<long long> sums = vector<long long>(SIZE + 1);

    void add(int value, int sign) {
        for (int at = value + SHIFT; at <= SIZE; at += at & -at) counts[at] += sign, sums[at] += sign * value;
    }

public:
    vector<long long> calmestStretch(vector<int>& reports, int span) {
        long long total = 0, least = LLONG_MAX, start = 0;
        for (int at = 0; at < (int)reports.size(); ++at) {
            total += reports[at];
            add(reports[at], 1);
            if (at >= span) {
                total -= reports[at - span];
                add(reports[at - span], -1);
            }
            if (at + 1 < span) continue;
            // The reports before place `spot` are fewer than half of them; the middle one has that value.
            int spot = 0, before = 0;
            long long low = 0;
            for (int step = SIZE; step; step /= 2)
                if (spot + step <= SIZE && before + counts[spot + step] < (span + 1) / 2) {
                    spot += step;
                    before += counts[spot];
                    low += sums[spot];
                }
            long long middle = spot + 1 - SHIFT;
            long long cost = middle * before - low + (total - low) - middle * (span - before);
            if (cost <= least) {
                least = cost;
                start = at - span + 1;
            }
        }
        return {start, least};
    }
};
