// Whole columns: all ways to fill one, and which may stand beside each other.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

const int64_t MOD = 1000000007;
int h, w;
std::vector<std::string> grid;

// '^' and 'v': upper and lower half of a plank; '<' and '>': left and right half; 'P': a patch; '#': a pillar.
void fill(int x, std::string column, std::vector<std::string>& all) {
    int y = column.size();
    if (y == h) {
        all.push_back(column);
        return;
    }
    if (grid[y][x] == '#') return fill(x, column + '#', all);
    if (y + 1 < h && grid[y + 1][x] == '.') fill(x, column + "^v", all);
    if (x + 1 < w) fill(x, column + '<', all);
    if (x > 0) fill(x, column + '>', all);
    if (y == 0 || column[y - 1] != 'P') fill(x, column + 'P', all);
}

bool fit(const std::string& left, const std::string& right) {
    for (int y = 0; y < h; ++y) {
        if ((left[y] == '<') != (right[y] == '>')) return false;
        if (left[y] == 'P' && right[y] == 'P') return false;
        if (y + 1 < h) {
            bool joined = left[y] == '<' || left[y + 1] == '<' || left[y] == '^' || right[y] == '^';
            if (!joined) return false;
        }
    }
    return true;
}

int main() {
    std::cin >> h >> w;
    grid.resize(h);
    for (auto& row : grid) std::cin >> row;
    std::vector<std::string> columns;
    std::vector<int64_t> ways;
    for (int x = 0; x < w; ++x) {
        std::vector<std::string> next;
        fill(x, "", next);
        std::vector<int64_t> sums(next.size());
        for (size_t b = 0; b < next.size(); ++b) {
            if (x == 0) sums[b] = 1;
            for (size_t a = 0; a < columns.size(); ++a)
                if (fit(columns[a], next[b])) sums[b] = (sums[b] + ways[a]) % MOD;
        }
        columns = next;
        ways = sums;
    }
    int64_t total = 0;
    for (int64_t each : ways) total = (total + each) % MOD;
    std::cout << total << "\n";
}
