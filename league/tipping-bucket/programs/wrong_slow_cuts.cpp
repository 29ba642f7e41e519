// Right, but finds for each cut the first time at which the water lies after it.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>
using namespace std;

int main() {
    int q;
    cin >> q;
    while (q--) {
        int64_t a, m, b, k;
        cin >> a >> m >> b >> k;
        int64_t g = gcd(a, m);
        a /= g, m /= g, b /= g;
        int64_t count = min(k + 1, m);
        vector<pair<int64_t, int64_t>> cuts;
        int64_t place = 0;
        for (int64_t j = 0; j < count; ++j) {
            cuts.push_back({place, j});
            if (cuts.size() > 30000000) return 1;
            place = place >= a ? place - a : place - a + m;
        }
        sort(cuts.begin(), cuts.end());
        vector<char> heard(count);
        int64_t left = count, water = b, minute = k;
        while (true) {
            auto it = upper_bound(cuts.begin(), cuts.end(), make_pair(water, INT64_MAX)) - cuts.begin() - 1;
            if (!heard[it]) heard[it] = 1, --left;
            if (!left) break;
            water = water >= m - a ? water - (m - a) : water + a;
            ++minute;
        }
        cout << minute << "\n";
    }
}
