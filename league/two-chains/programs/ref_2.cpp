// Whether the player whose turn it is wins, by what is left and what was taken last; found when it is needed.
#include <iostream>

int k;
signed char known[61][61][7];

bool wins(int x, int y, int last) {
    signed char& answer = known[x][y][last];
    if (!answer) {
        answer = 1;
        for (int links = 1; links <= k && answer == 1; ++links) {
            if (links == last) continue;
            if ((links <= x && !wins(x - links, y, links)) || (links <= y && !wins(x, y - links, links))) answer = 2;
        }
    }
    return answer == 2;
}

int main() {
    int left[3], last = 0;
    std::cin >> left[1] >> left[2] >> k;
    bool mine = wins(left[1], left[2], 0);
    std::cout << (mine ? "first" : "second") << std::endl;
    while (true) {
        int chain = 0, links = 0;
        if (mine) {
            for (int c = 1; c <= 2 && !chain; ++c)
                for (int l = k; l >= 1 && !chain; --l)
                    if (l != last && l <= left[c] && !wins(left[1] - (c == 1 ? l : 0), left[2] - (c == 2 ? l : 0), l)) chain = c, links = l;
            std::cout << chain << " " << links << std::endl;
        } else {
            std::cin >> chain >> links;
            if (!chain) return 0;
        }
        left[chain] -= links;
        last = links;
        mine = !mine;
    }
}
