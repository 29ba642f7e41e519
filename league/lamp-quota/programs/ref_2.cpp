// The children of a village are gone through one by one, with how many of them are lit.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

const int64_t NONE = INT64_C(1) << 60;

int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::vector<int64_t> cost(n + 1), low(n + 1), high(n + 1);
    std::vector<std::vector<int>> near(n + 1);
    for (int i = 1; i <= n; ++i) std::cin >> cost[i] >> low[i] >> high[i];
    for (int i = 1; i < n; ++i) {
        int a, b;
        std::cin >> a >> b;
        near[a].push_back(b);
        near[b].push_back(a);
    }
    std::vector<int> above(n + 1), order{n};
    for (size_t at = 0; at < order.size(); ++at)
        for (int other : near[order[at]])
            if (other != above[order[at]]) above[other] = order[at], order.push_back(other);
    std::vector<int64_t> best[2][2];
    for (auto& row : best)
        for (auto& each : row) each.assign(n + 1, NONE);
    for (int at = n - 1; at >= 0; --at) {
        int v = order[at];
        for (int lit = 0; lit < 2; ++lit) {
            std::vector<int64_t> count{lit * cost[v]};
            for (int u : near[v]) {
                if (u == above[v]) continue;
                count.push_back(NONE);
                for (int k = count.size() - 1; k >= 0; --k) {
                    int64_t with = k ? count[k - 1] + best[1][lit][u] : NONE;
                    count[k] = std::min({NONE, count[k] + best[0][lit][u], with});
                }
            }
            for (int over = 0; over < 2; ++over)
                for (int64_t k = 0; k < (int64_t)count.size(); ++k)
                    if (low[v] <= k + lit + over && k + lit + over <= high[v])
                        best[lit][over][v] = std::min(best[lit][over][v], count[k]);
        }
    }
    int64_t answer = std::min(best[0][0][n], best[1][0][n]);
    std::cout << (answer >= NONE ? -1 : answer) << "\n";
}
