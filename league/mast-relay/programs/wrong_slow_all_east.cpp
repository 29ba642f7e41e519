// Right, but looks from each mast at all masts east of it.
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, q;
    std::cin >> n >> q;
    std::vector<long long> x(n), h(n);
    for (int i = 0; i < n; i++) std::cin >> x[i] >> h[i];
    std::vector<std::vector<int>> jumps(1, std::vector<int>(n, n - 1));
    for (int i = 0; i + 1 < n; i++) {
        int best = i + 1;
        for (int j = i + 2; j < n; j++)
            if ((h[j] - h[i]) * (x[best] - x[i]) > (h[best] - h[i]) * (x[j] - x[i])) best = j;
        jumps[0][i] = best;
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
