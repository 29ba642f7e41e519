// Makes a random beginning of the terrace, mostly straight, and takes the side's share of coverings from it; what is left is
// found by Euclid's algorithm from the other end.
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
        // The last squares of the terrace, seen from its end: their ratio of k to the share is that of a fraction p / q.
        Big a = 1, b = 0, c = 0, d = 1;  // (k, share) = (a m + b n, c m + d n)
        int turns = rng() % 6;
        for (int at = 0; at < 46 && (a + b) * (a + b) <= k; ++at) {
            bool straight = rng() % 46 >= (unsigned)turns;
            // m = m' + n', n = m' or n'
            if (straight) {
                Big e = a + b, f = c + d;
                b = a, d = c, a = e, c = f;
            } else {
                b += a, d += c;
            }
        }
        Big p = a + b, q = c + d;
        Big share = Big(k) * q / p + (int)(rng() % 3) - 1;
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
