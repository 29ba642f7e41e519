// Right, but adds thin strips up.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

int main() {
    int n;
    long long s;
    std::scanf("%d %lld", &n, &s);
    std::vector<std::pair<int, int>> corners(n);
    std::set<int> heights;
    for (auto& [x, y] : corners) {
        std::scanf("%d %d", &x, &y);
        heights.insert(y);
    }
    std::vector<int> levels(heights.begin(), heights.end());
    long double want = s / 2.0L, area = 0;
    for (size_t at = 0; at + 1 < levels.size(); ++at) {
        int low = levels[at], high = levels[at + 1];
        std::vector<std::pair<long double, std::pair<long double, long double>>> cuts;  // by the middle: lower and upper x
        for (int i = 0; i < n; ++i) {
            auto [x, y] = corners[i];
            auto [p, q] = corners[(i + 1) % n];
            if (y > q) std::swap(x, p), std::swap(y, q);
            if (y > low || q < high || y == q) continue;
            long double slope = (long double)(p - x) / (q - y), a = x + slope * (low - y), b = x + slope * (high - y);
            cuts.push_back({a + b, {a, b}});
        }
        std::sort(cuts.begin(), cuts.end());
        long double below = 0, above = 0;
        for (size_t i = 0; i + 1 < cuts.size(); i += 2) {
            below += cuts[i + 1].second.first - cuts[i].second.first;
            above += cuts[i + 1].second.second - cuts[i].second.second;
        }
        long double tall = high - low, whole = (below + above) / 2 * tall;
        if (area + whole < want && at + 2 < levels.size()) {
            area += whole;
            continue;
        }
        long double growth = (above - below) / tall, rest = want - area, t = 0;
        const long double step = 1e-7L;
        while (rest > 0) rest -= (below + growth * (t + step / 2)) * step, t += step;
        std::printf("%.9Lf\n", low + std::min(t, tall));
        return 0;
    }
}
