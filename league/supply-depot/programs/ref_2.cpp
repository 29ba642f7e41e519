// Centroid decomposition: each island gathers its effort level by level, from the centroids above it.
#include <iostream>
#include <utility>
#include <vector>

struct Sums {
    long long crates = 0, effort = 0;
};

int main() {
    int n;
    std::cin >> n;
    std::vector<long long> needs(n + 1), effort(n + 1);
    for (int i = 1; i <= n; ++i) std::cin >> needs[i];
    std::vector<std::vector<std::pair<int, long long>>> joined(n + 1);
    for (int i = 1; i < n; ++i) {
        int a, b, length;
        std::cin >> a >> b >> length;
        joined[a].emplace_back(b, length);
        joined[b].emplace_back(a, length);
    }
    std::vector<bool> done(n + 1);
    std::vector<int> above(n + 1), size(n + 1);
    std::vector<long long> far(n + 1);

    // The islands of one part, nearest first, with their distance from `root`.
    auto walk = [&](int root, int from, long long start) {
        std::vector<int> order{root};
        above[root] = from;
        far[root] = start;
        for (size_t i = 0; i < order.size(); ++i) {
            int here = order[i];
            for (auto [there, length] : joined[here]) {
                if (there == above[here] || done[there]) continue;
                above[there] = here;
                far[there] = far[here] + length;
                order.push_back(there);
            }
        }
        return order;
    };
    auto sums = [&](const std::vector<int>& order) {
        Sums total;
        for (int here : order) {
            total.crates += needs[here];
            total.effort += needs[here] * far[here];
        }
        return total;
    };

    std::vector<int> parts{1};
    while (!parts.empty()) {
        auto order = walk(parts.back(), 0, 0);
        parts.pop_back();
        int total = static_cast<int>(order.size()), centroid = order[0];
        for (int here : order) size[here] = 1;
        for (int i = total - 1; i > 0; --i) size[above[order[i]]] += size[order[i]];
        for (int i = total - 1; i >= 0; --i) {
            if (2 * size[order[i]] >= total) {
                centroid = order[i];
                break;
            }
        }
        auto whole = walk(centroid, 0, 0);
        Sums all = sums(whole);
        for (int here : whole) effort[here] += all.effort + all.crates * far[here];
        done[centroid] = true;
        for (auto [there, length] : joined[centroid]) {
            if (done[there]) continue;
            auto branch = walk(there, centroid, length);
            Sums own = sums(branch);  // counted by way of the centroid, though they need not go there
            for (int here : branch) effort[here] -= own.effort + own.crates * far[here];
            parts.push_back(there);
        }
    }
    int best = 1;
    for (int i = 2; i <= n; ++i) {
        if (effort[i] < effort[best]) best = i;
    }
    std::cout << effort[best] << ' ' << best << '\n';
}
