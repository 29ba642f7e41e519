// Breadth-first search over squares, minutes of the table, and wet minutes in a row.
#include <array>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

int main() {
    int r, c, p, k;
    std::cin >> r >> c >> p >> k;
    std::vector<int> level(p);
    for (int& each : level) std::cin >> each;
    std::vector<std::string> grid(r);
    for (auto& row : grid) std::cin >> row;
    auto wet = [&](int y, int x, int t) { return grid[y][x] - '0' <= level[t]; };
    std::vector<int> seen(r * c * p * 4, -1);
    auto number = [&](int y, int x, int t, int run) { return ((y * c + x) * p + t) * 4 + run; };
    std::queue<std::array<int, 4>> queue;
    int run = wet(0, 0, 0);
    if (run <= k) {
        seen[number(0, 0, 0, run)] = 0;
        queue.push({0, 0, 0, run});
    }
    while (!queue.empty()) {
        auto [y, x, t, before] = queue.front();
        queue.pop();
        int minute = seen[number(y, x, t, before)];
        if (y == r - 1 && x == c - 1) {
            std::cout << minute << "\n";
            return 0;
        }
        const int dy[] = {0, 0, 0, 1, -1}, dx[] = {0, 1, -1, 0, 0};
        for (int way = 0; way < 5; ++way) {
            int b = y + dy[way], a = x + dx[way], s = (t + 1) % p;
            if (b < 0 || b >= r || a < 0 || a >= c) continue;
            int after = wet(b, a, s) ? before + 1 : 0;
            if (after > k || (way && before && after)) continue;
            int& when = seen[number(b, a, s, after)];
            if (when < 0) {
                when = minute + 1;
                queue.push({b, a, s, after});
            }
        }
    }
    std::cout << "-1\n";
}
