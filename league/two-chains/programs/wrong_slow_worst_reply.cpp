// Right, but goes through all games from every position to find the best reply.
#include <iostream>
#include <utility>

int k;

int lead(int x, int y, int last) {  // 1 if who is to move wins, else -1
    int best = -1;
    for (int links = k; links >= 1; links--) {
        if (links == last) continue;
        if (links <= x) best = std::max(best, -lead(x - links, y, links));
        if (links <= y) best = std::max(best, -lead(x, y - links, links));
    }
    return best;
}

int main() {
    int left[2], last = 0, chain, links;
    std::cin >> left[0] >> left[1] >> k;
    bool mine = lead(left[0], left[1], 0) > 0;
    std::cout << (mine ? "first" : "second") << std::endl;
    while (true) {
        if (mine) {
            std::pair<int, int> found = {0, 0};
            for (int take = 1; take <= k; take++)
                for (int side = 0; side < 2; side++)
                    if (take != last && take <= left[side] && !found.first) {
                        left[side] -= take;
                        if (lead(left[0], left[1], take) < 0) found = {side + 1, take};
                        left[side] += take;
                    }
            chain = found.first, links = found.second;
            std::cout << chain << " " << links << std::endl;
        } else {
            std::cin >> chain >> links;
            if (!chain) return 0;
        }
        left[chain - 1] -= links;
        last = links;
        mine = !mine;
    }
}
