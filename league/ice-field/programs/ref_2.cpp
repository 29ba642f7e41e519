// Starts from a chessboard and turns squares in random order, as long as not too many regions become one; again and again.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

int main() {
    int h, w, k;
    std::cin >> h >> w >> k;
    int squares = h * w;
    if (k > squares || (k == squares - 1 && h > 1 && w > 1)) {
        std::cout << "impossible\n";
        return 0;
    }
    std::mt19937 random(12345);
    std::vector<int> order, root(squares);
    for (int tries = 0;; ++tries) {
        order.clear();  // squares of one colour of the chessboard, in turn
        for (int at = 0; at < squares; ++at)
            if ((at / w + at % w + tries) % 2 == 0) order.push_back(at);
        std::shuffle(order.begin(), order.end(), random);
        std::iota(root.begin(), root.end(), 0);
        auto find = [&](int at) {
            while (root[at] != at) at = root[at] = root[root[at]];
            return at;
        };
        std::vector<bool> turned(squares);
        int left = squares - k;
        for (int at : order) {
            std::vector<int> near;
            if (at >= w) near.push_back(at - w);
            if (at + w < squares) near.push_back(at + w);
            if (at % w) near.push_back(at - 1);
            if (at % w + 1 < w) near.push_back(at + 1);
            std::set<int> joined{find(at)};
            for (int other : near) joined.insert(find(other));
            int fewer = joined.size() - 1;
            if (!left || fewer > left) continue;
            left -= fewer;
            turned[at] = true;
            for (int other : near) root[find(other)] = find(at);
        }
        if (left) continue;
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) std::cout << ((y + x) % 2 != turned[y * w + x] ? '#' : '.');
            std::cout << "\n";
        }
        return 0;
    }
}
