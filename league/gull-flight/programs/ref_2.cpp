// Routes are joined from the shortest on until rocks 1 and n hang together; then a set-based Dijkstra from rock n.
#include <algorithm>
#include <iostream>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

struct Route { int w, a, b; };

static int root(std::vector<int>& up, int a) {
    while (up[a] != a) a = up[a] = up[up[a]];
    return a;
}

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, m;
    std::cin >> n >> m;
    std::vector<Route> routes(m);
    for (Route& route : routes) std::cin >> route.a >> route.b >> route.w;
    std::sort(routes.begin(), routes.end(), [](const Route& x, const Route& y) { return x.w < y.w; });

    std::vector<int> up(n + 1);
    std::iota(up.begin(), up.end(), 0);
    int longest = -1;
    for (const Route& route : routes) {
        up[root(up, route.a)] = root(up, route.b);
        if (root(up, 1) == root(up, n)) {
            longest = route.w;
            break;
        }
    }
    if (longest < 0) {
        std::cout << -1 << "\n";
        return 0;
    }

    std::vector<std::vector<std::pair<int, int>>> near(n + 1);
    for (const Route& route : routes) {
        if (route.w > longest) break;
        near[route.a].emplace_back(route.b, route.w);
        near[route.b].emplace_back(route.a, route.w);
    }
    std::vector<long long> time(n + 1, std::numeric_limits<long long>::max());
    std::set<std::pair<long long, int>> open{{0, n}};
    time[n] = 0;
    while (!open.empty()) {
        const auto [now, a] = *open.begin();
        open.erase(open.begin());
        for (const auto& [b, w] : near[a]) {
            if (now + w < time[b]) {
                open.erase({time[b], b});
                time[b] = now + w;
                open.insert({time[b], b});
            }
        }
    }
    std::cout << longest << " " << time[1] << "\n";
}
