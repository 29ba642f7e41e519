// Days ashore up to a day are a function that rises by pieces; each visit asks where its rise passes the limit.
#include <bits/stdc++.h>
using namespace std;

vector<long long> firstOverstay(vector<vector<long long>>& visits, long long window, long long limit) {
    vector<long long> before = {0};
    for (auto& visit : visits) before.push_back(before.back() + visit[1] - visit[0] + 1);
    // In the window that ends with a day of this visit: days leave at its far end while days come at the near one.
    long long earliest = -1, total = 0;
    size_t far = 0;  // the first visit that has a day within the window that ends with the first day of this one
    for (size_t at = 0; at < visits.size(); ++at) {
        long long first = visits[at][0], last = visits[at][1], day = first;
        while (visits[far][1] <= first - window) ++far;
        size_t leaving = far;
        // Days ashore within the window that ends with `day`.
        long long count = before[at] - before[leaving] + 1;
        if (leaving < at) count -= max(0LL, day - window - visits[leaving][0] + 1);
        while (count <= limit && day < last) {
            // Until something changes: from here on a day leaves with each that comes, or none does.
            if (day - window + 1 > visits[leaving][1]) ++leaving;
            bool leaves = day - window + 1 >= visits[leaving][0];
            long long change = window - 1 + (leaves ? visits[leaving][1] + 1 : visits[leaving][0]);
            long long stop = min(last, change);
            if (stop <= day) stop = day + 1;
            if (leaves) {
                day = stop;
                continue;
            }
            if (count + stop - day > limit) {
                day += limit - count + 1;
                count = limit + 1;
                break;
            }
            count += stop - day;
            day = stop;
        }
        if (count <= limit) continue;
        if (earliest < 0) earliest = day;
        total += last - day + 1;
    }
    return {earliest, total};
}
