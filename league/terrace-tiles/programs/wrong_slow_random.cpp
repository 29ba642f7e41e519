// Right, but tries shares at random from all up to k.
#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <utility>
#include <vector>

typedef __int128 Big;

int main() {
    int64_t k;
    std::cin >> k;
    std::mt19937 rng(12);
    std::vector<bool> best;
    for (bool found = false; !found;) {
        Big share = Big(rng()) * Big(rng()) % k + 1;
        if (share < 1 || share > k) continue;
        Big m = k, n = share;
        best.clear();
        while (n < m && n > 0 && best.size() <= 99) {
            bool straight = 2 * n >= m;
            Big rest = m - n;
            m = straight ? n : rest;
            n = straight ? rest : n;
            best.push_back(straight);
        }
        found = m == 1 && n == 1 && best.size() <= 99;
    }
    std::map<int, std::pair<int, int>> rows{{0, {1, 1}}, {1, {1, 1}}};
    int x = 1, y = 0;
    bool right = true;
    for (size_t at = 0; at < best.size(); ++at) {
        if (at) (right ? x : y) += 1;
        for (int row : {y, y + 1}) {
            if (!rows.count(row)) rows[row] = {x, x};
            rows[row].second = std::max(rows[row].second, x + 1);
        }
        if (!best[best.size() - 1 - at]) right = !right;
    }
    std::cout << rows.size() << "\n";
    for (auto& [row, ends] : rows) std::cout << ends.first << " " << ends.second << "\n";
}
