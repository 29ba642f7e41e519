#include <algorithm>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

int main() {
    int rows, columns;
    std::cin >> rows >> columns;
    std::vector<std::string> grid(rows);
    std::vector<std::vector<int>> hour(rows, std::vector<int>(columns, -1));
    std::queue<std::pair<int, int>> open;
    for (int r = 0; r < rows; ++r) {
        std::cin >> grid[r];
        for (int c = 0; c < columns; ++c) {
            if (grid[r][c] == 'o') {
                hour[r][c] = 0;
                open.emplace(r, c);
            }
        }
    }
    int last = 0;
    while (!open.empty()) {
        auto [r, c] = open.front();
        open.pop();
        last = hour[r][c];
        const int steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
        for (auto [down, right] : steps) {
            int y = r + down, x = c + right;
            if (y < 0 || y >= rows || x < 0 || x >= columns || grid[y][x] == '#' || hour[y][x] >= 0) continue;
            hour[y][x] = last + 1;
            open.emplace(y, x);
        }
    }
    int clean = 0;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) clean += grid[r][c] == '.' && hour[r][c] < 0;
    }
    std::cout << last << ' ' << clean << '\n';
}
