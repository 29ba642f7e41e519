// Right, but goes through all rounds of a block one by one, each of them as a whole.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>

struct Path {
    int64_t x = 0, y = 0, low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    int turn = 0;

    void add(const Path& next) {
        int64_t px[3] = {next.low_x, next.high_x, next.x}, py[3] = {next.low_y, next.high_y, next.y};
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < turn; ++i) {
                int64_t old = px[k];
                px[k] = py[k];
                py[k] = -old;
            }
            px[k] += x;
            py[k] += y;
            low_x = std::min(low_x, px[k]);
            high_x = std::max(high_x, px[k]);
            low_y = std::min(low_y, py[k]);
            high_y = std::max(high_y, py[k]);
        }
        x = px[2];
        y = py[2];
        turn = (turn + next.turn) % 4;
    }
};

Path block(int64_t times) {
    Path once, all;
    std::string word;
    while (std::cin >> word && word != "]") {
        Path next;
        if (word == "L") next.turn = 3;
        else if (word == "R") next.turn = 1;
        else if (word[0] == 'F') next.y = next.high_y = std::stoll(word.substr(1));
        else next = block(std::stoll(word));
        once.add(next);
    }
    while (times--) all.add(once);
    return all;
}

int main() {
    Path path = block(1);
    std::cout << path.low_x << " " << path.high_x << " " << path.low_y << " " << path.high_y << "\n";
    std::cout << path.x << " " << path.y << " " << "NESW"[path.turn] << "\n";
}
