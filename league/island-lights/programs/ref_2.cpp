#include <algorithm>
#include <iostream>
#include <vector>

// Switches all lights on, and then off one after the other wherever no section goes dark. Of three lights that share a
// section one is always unnecessary, so what is left is right. A segment tree keeps how often each stretch is lit.
std::vector<int> least, more;

void add(int node, int low, int high, int from, int to, int change) {
    if (from <= low && high <= to) {
        least[node] += change;
        more[node] += change;
        return;
    }
    int mid = (low + high) / 2;
    if (from < mid) add(2 * node, low, mid, from, to, change);
    if (to > mid) add(2 * node + 1, mid, high, from, to, change);
    least[node] = std::min(least[2 * node], least[2 * node + 1]) + more[node];
}

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    long long m;
    int n;
    std::cin >> m >> n;
    std::vector<long long> start(n), size(n), cuts = {0, m};
    for (int i = 0; i < n; i++) {
        std::cin >> start[i] >> size[i];
        cuts.push_back(start[i]);
        cuts.push_back((start[i] + size[i]) % m);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    int stretches = cuts.size() - 1;
    least.assign(4 * stretches, 0);
    more.assign(4 * stretches, 0);
    auto change = [&](int light, int by) {
        auto index = [&](long long place) { return int(std::lower_bound(cuts.begin(), cuts.end(), place) - cuts.begin()); };
        long long end = start[light] + size[light];
        add(1, 0, stretches, index(start[light]), index(std::min(end, m)), by);
        if (end > m) add(1, 0, stretches, 0, index(end - m), by);
    };
    for (int i = 0; i < n; i++) change(i, 1);
    if (least[1] < 1) {
        std::cout << "dark\n";
        return 0;
    }
    std::vector<int> order(n), chosen;
    for (int i = 0; i < n; i++) order[i] = i;
    std::sort(order.begin(), order.end(), [&](int a, int b) { return size[a] < size[b]; });
    for (int light : order) {
        change(light, -1);
        if (least[1] < 1) {
            change(light, 1);
            chosen.push_back(light + 1);
        }
    }
    std::cout << chosen.size() << "\n";
    for (size_t i = 0; i < chosen.size(); i++) std::cout << chosen[i] << (i + 1 < chosen.size() ? ' ' : '\n');
}
