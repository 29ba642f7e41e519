#include <array>
#include <iostream>
#include <string>
#include <vector>

// Keeps for each square whether the round passes over its east and its south side. Small rounds are laid first: one of
// eight squares at the rock, and long narrow ones of two rows or two columns in the rest of the sea. Then each is joined
// to the one before it by opening two parallel sides that lie next to each other.
int n, m;
std::vector<std::vector<std::array<bool, 2>>> side;  // east, south

void flip(int y, int x, int which) { side[y][x][which] = !side[y][x][which]; }

// Flip the four sides of the block of squares (y, x) to (y + 1, x + 1).
void turn(int y, int x) {
    flip(y, x, 0);
    flip(y + 1, x, 0);
    flip(y, x, 1);
    flip(y, x + 1, 1);
}

// A round along the border of a rectangle.
void border(int top, int left, int bottom, int right) {
    for (int x = left; x < right; x++) flip(top, x, 0), flip(bottom, x, 0);
    for (int y = top; y < bottom; y++) flip(y, left, 1), flip(y, right, 1);
}

// Join what lies on either side of the line between rows y and y + 1, somewhere in the columns from left to right.
void joinRows(int y, int left, int right) {
    for (int x = left; x < right; x++)
        if (side[y][x][0] && side[y + 1][x][0]) return turn(y, x);
}

void joinColumns(int x, int top, int bottom) {
    for (int y = top; y < bottom; y++)
        if (side[y][x][1] && side[y][x + 1][1]) return turn(y, x);
}

int main() {
    int r, c;
    std::cin >> n >> m >> r >> c;
    r--, c--;
    if (n % 2 == 0 || m % 2 == 0 || (r + c) % 2) {
        std::cout << "none\n";
        return 0;
    }
    side.assign(n, std::vector<std::array<bool, 2>>(m, {false, false}));
    int top = r % 2 ? r - 1 : r == n - 1 ? r - 2 : r, left = c % 2 ? c - 1 : c == m - 1 ? c - 2 : c;
    border(top, left, top + 2, left + 2);
    if (r % 2 == 0) {
        // The rock is a corner: the round passes through the middle instead.
        turn(r == top ? top : top + 1, c == left ? left : left + 1);
    }
    // Pairs of columns beside the three rows of the rock, and pairs of whole rows above and below them.
    for (int x = left - 2; x >= 0; x -= 2) border(top, x, top + 2, x + 1), joinColumns(x + 1, top, top + 2);
    for (int x = left + 3; x < m; x += 2) border(top, x, top + 2, x + 1), joinColumns(x - 1, top, top + 2);
    for (int y = top - 2; y >= 0; y -= 2) border(y, 0, y + 1, m - 1), joinRows(y + 1, 0, m - 1);
    for (int y = top + 3; y < n; y += 2) border(y, 0, y + 1, m - 1), joinRows(y - 1, 0, m - 1);
    int y = r == 0 && c == 0 ? n - 1 : 0, x = y ? m - 1 : 0;
    std::cout << y + 1 << " " << x + 1 << "\n";
    std::string steps;
    int from = -1;  // the direction back to the square before
    while ((int)steps.size() < n * m - 1) {
        bool open[4] = {y > 0 && side[y - 1][x][1], x + 1 < m && side[y][x][0], y + 1 < n && side[y][x][1], x > 0 && side[y][x - 1][0]};
        int go = 0;
        while (!open[go] || go == from) go++;
        steps += "NESW"[go];
        y += (go == 2) - (go == 0);
        x += (go == 1) - (go == 3);
        from = (go + 2) % 4;
    }
    std::cout << steps << "\n";
}
