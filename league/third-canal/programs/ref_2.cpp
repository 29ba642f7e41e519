// Prices of whole groups first: for each two towns the cheapest way of three canals. Then ways made of groups.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

typedef std::pair<int64_t, int> Cost;
const int64_t NONE = INT64_C(1) << 60;
int64_t toll[151][151], group[151][151];
std::vector<int> ways[151];

int main() {
    int n, m;
    std::cin >> n >> m;
    for (auto& row : toll) std::fill(row, row + 151, NONE);
    for (auto& row : group) std::fill(row, row + 151, NONE);
    while (m--) {
        int u, v;
        int64_t w;
        std::cin >> u >> v >> w;
        toll[u][v] = toll[v][u] = std::min(toll[u][v], w);
    }
    for (int a = 1; a <= n; ++a)
        for (int b = 1; b <= n; ++b)
            if (toll[a][b] < NONE) ways[a].push_back(b);
    for (int b = 1; b <= n; ++b)
        for (int c : ways[b])
            for (int a : ways[b])
                for (int d : ways[c]) {
                    int64_t x = toll[a][b], y = toll[b][c], z = toll[c][d];
                    group[a][d] = std::min(group[a][d], x + y + z - std::min({x, y, z}));
                }
    Cost best[151];
    std::fill(best, best + 151, Cost(NONE, 0));
    best[1] = {0, 0};
    for (int round = 0; round <= n; ++round)
        for (int u = 1; u <= n; ++u)
            for (int v = 1; v <= n; ++v)
                if (best[u].first < NONE && group[u][v] < NONE)
                    best[v] = std::min(best[v], Cost(best[u].first + group[u][v], best[u].second + 3));
    Cost least = best[n];
    for (int u = 1; u <= n; ++u) {
        if (best[u].first == NONE) continue;
        if (toll[u][n] < NONE) least = std::min(least, Cost(best[u].first + toll[u][n], best[u].second + 1));
        for (int v = 1; v <= n; ++v)
            if (toll[u][v] < NONE && toll[v][n] < NONE)
                least = std::min(least, Cost(best[u].first + toll[u][v] + toll[v][n], best[u].second + 2));
    }
    if (least.first == NONE) std::cout << "-1\n";
    else std::cout << least.first << " " << least.second << "\n";
}
