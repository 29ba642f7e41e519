#include <iostream>
#include <vector>

// Finds the mast that is signalled to by binary search on the hull, and doubles the way: jumps of 1, 2, 4, ... masts.
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, q;
    std::cin >> n >> q;
    std::vector<long long> x(n), h(n);
    for (int i = 0; i < n; i++) std::cin >> x[i] >> h[i];
    std::vector<std::vector<int>> jumps(1, std::vector<int>(n, n - 1));
    std::vector<int> hull;
    for (int i = n - 1; i >= 0; i--) {
        // The hull's slopes from here rise and then fall: search for the first mast after which they rise no more.
        if (!hull.empty()) {
            int low = 0, high = hull.size() - 1;
            while (low < high) {
                int mid = (low + high + 1) / 2;
                int near = hull[mid], far = hull[mid - 1];
                bool keeps = (h[far] - h[i]) * (x[near] - x[i]) <= (h[near] - h[i]) * (x[far] - x[i]);
                if (keeps) low = mid;
                else high = mid - 1;
            }
            jumps[0][i] = hull[low];
            hull.resize(low + 1);
        }
        hull.push_back(i);
    }
    while (1 << jumps.size() < n) {
        std::vector<int> next(n), &last = jumps.back();
        for (int i = 0; i < n; i++) next[i] = last[last[i]];
        jumps.push_back(next);
    }
    while (q--) {
        int a, b, steps = 1;
        std::cin >> a >> b;
        --a, --b;
        for (int power = jumps.size() - 1; power >= 0; power--)
            if (jumps[power][a] < b) a = jumps[power][a], steps += 1 << power;
        std::cout << steps << "\n";
    }
}
