// Right, but signals the message of each query from mast to mast.
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, q;
    std::cin >> n >> q;
    std::vector<long long> x(n), h(n);
    for (int i = 0; i < n; i++) std::cin >> x[i] >> h[i];
    std::vector<int> following(n, n - 1), hull;
    for (int i = n - 1; i >= 0; i--) {
        while (hull.size() > 1) {
            int near = hull.back(), far = hull[hull.size() - 2];
            if ((h[far] - h[i]) * (x[near] - x[i]) <= (h[near] - h[i]) * (x[far] - x[i])) break;
            hull.pop_back();
        }
        if (!hull.empty()) following[i] = hull.back();
        hull.push_back(i);
    }
    while (q--) {
        int a, b, steps = 0;
        std::cin >> a >> b;
        for (--a, --b; a < b; ++steps) a = following[a];
        std::cout << steps << "\n";
    }
}
