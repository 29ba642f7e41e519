// Right, but branches: each line is opened or not, and cuts off where even lines that join three parts each would be too many.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int n, m, best;
vector<vector<int>> lines;

int root(const vector<int>& top, int i) {
    while (top[i] != i) i = top[i];
    return i;
}

void branch(size_t at, const vector<int>& top, int parts, int open) {
    if (parts == 1) best = min(best, open);
    if (at == lines.size() || open + parts / 2 >= best) return;
    vector<int> next = top;
    int left = parts;
    for (int island : lines[at]) {
        int a = root(next, island), b = root(next, lines[at][0]);
        if (a != b) next[a] = b, --left;
    }
    if (left < parts) branch(at + 1, next, left, open + 1);
    branch(at + 1, top, parts, open);
}

int main() {
    cin >> n >> m;
    string row;
    getline(cin, row);
    while (m-- && getline(cin, row)) {
        istringstream words(row);
        lines.emplace_back();
        for (int island; words >> island;) lines.back().push_back(island - 1);
    }
    sort(lines.begin(), lines.end(), [](auto& a, auto& b) { return a.size() > b.size(); });
    best = n;
    vector<int> top(n);
    iota(top.begin(), top.end(), 0);
    branch(0, top, n, 0);
    cout << (best == n ? n == 1 ? 0 : -1 : best) << "\n";
}
