// A block that turns comes back to itself after four rounds; one that does not turn only drifts.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>

struct Path {
    int64_t x = 0, y = 0, low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    int turn = 0;  // quarters to the right

    void point(int64_t px, int64_t py) {
        low_x = std::min(low_x, px);
        high_x = std::max(high_x, px);
        low_y = std::min(low_y, py);
        high_y = std::max(high_y, py);
    }

    void place(int64_t& px, int64_t& py) const {
        for (int i = 0; i < turn; ++i) {
            int64_t old = px;
            px = py;
            py = -old;
        }
        px += x;
        py += y;
    }

    void add(const Path& next) {
        int64_t ax = next.low_x, ay = next.low_y, bx = next.high_x, by = next.high_y, ex = next.x, ey = next.y;
        place(ax, ay);
        place(bx, by);
        place(ex, ey);
        point(ax, ay);
        point(bx, by);
        x = ex;
        y = ey;
        turn = (turn + next.turn) % 4;
    }
};

Path block(int64_t times) {
    Path once;
    std::string word;
    while (std::cin >> word && word != "]") {
        if (word == "L" || word == "R") {
            once.turn = (once.turn + (word == "L" ? 3 : 1)) % 4;
        } else if (word[0] == 'F') {
            Path ahead;
            ahead.y = ahead.high_y = std::stoll(word.substr(1));
            once.add(ahead);
        } else {
            once.add(block(std::stoll(word)));
        }
    }
    Path all;
    if (once.turn == 0) {
        all = once;
        int64_t far_x = once.x * (times - 1), far_y = once.y * (times - 1);
        all.point(once.low_x + far_x, once.low_y + far_y);
        all.point(once.high_x + far_x, once.high_y + far_y);
        all.x = once.x * times;
        all.y = once.y * times;
        return all;
    }
    int64_t rounds = times < 8 ? times : 4 + times % 4;
    while (rounds--) all.add(once);
    return all;
}

int main() {
    Path path = block(1);
    std::cout << path.low_x << " " << path.high_x << " " << path.low_y << " " << path.high_y << "\n";
    std::cout << path.x << " " << path.y << " " << "NESW"[path.turn] << "\n";
}
