#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// Finds the lines themselves: drops lines of three islands one by one while a matrix of Tutte's kind keeps its rank, and
// then joins what is left by any lines.
using namespace std;

static const uint64_t P = 2305843009213693951ull;

static uint64_t mul(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b % P); }

static uint64_t power(uint64_t a, uint64_t e) {
    uint64_t r = 1;
    for (; e; e >>= 1, a = mul(a, a))
        if (e & 1) r = mul(r, a);
    return r;
}

static int rankOf(vector<vector<uint64_t>> m) {
    int n = m.size(), r = 0;
    for (int c = 0; c < n; ++c) {
        int at = r;
        while (at < n && !m[at][c]) ++at;
        if (at == n) continue;
        swap(m[r], m[at]);
        uint64_t inverse = power(m[r][c], P - 2);
        for (int i = r + 1; i < n; ++i)
            if (m[i][c]) {
                uint64_t f = mul(m[i][c], inverse);
                for (int j = c; j < n; ++j) m[i][j] = (m[i][j] + P - mul(f, m[r][j])) % P;
            }
        ++r;
    }
    return r;
}

static int root(vector<int>& top, int i) {
    while (top[i] != i) i = top[i] = top[top[i]];
    return i;
}

int fewest_lines(int islands, vector<vector<int>> lines) {
    mt19937_64 rng(31415);
    vector<vector<int>> trios;
    for (auto& line : lines)
        if (line.size() == 3) trios.push_back(line);
    vector<uint64_t> weight(trios.size());
    for (auto& w : weight) w = rng() % (P - 1) + 1;
    vector<char> used(trios.size(), 1);
    auto rank = [&]() {
        // The last island is left out: its vector is zero.
        vector<vector<uint64_t>> m(islands, vector<uint64_t>(islands));
        auto add = [&](int i, int j, uint64_t x) {
            if (i == islands - 1 || j == islands - 1) return;
            m[i][j] = (m[i][j] + x) % P;
            m[j][i] = (m[j][i] + P - x) % P;
        };
        for (size_t t = 0; t < trios.size(); ++t)
            if (used[t]) {
                add(trios[t][0], trios[t][1], weight[t]);
                add(trios[t][1], trios[t][2], weight[t]);
                add(trios[t][2], trios[t][0], weight[t]);
            }
        return rankOf(m);
    };
    int all = rank();
    for (size_t t = 0; t < trios.size(); ++t) {
        used[t] = 0;
        if (rank() < all) used[t] = 1;
    }
    vector<int> top(islands);
    iota(top.begin(), top.end(), 0);
    int parts = islands, open = 0;
    auto join = [&](const vector<int>& line) {
        int before = parts;
        for (int island : line) {
            int a = root(top, island), b = root(top, line[0]);
            if (a != b) top[a] = b, --parts;
        }
        open += parts < before;
        return before - parts;
    };
    for (size_t t = 0; t < trios.size(); ++t)
        if (used[t] && join(trios[t]) != 2) return -2;
    for (auto& line : lines) join(line);
    return parts == 1 ? open : -1;
}

int main() {
    int n, m;
    cin >> n >> m;
    string row;
    getline(cin, row);
    vector<vector<int>> lines;
    while (m-- && getline(cin, row)) {
        istringstream words(row);
        lines.emplace_back();
        for (int island; words >> island;) lines.back().push_back(island - 1);
    }
    cout << fewest_lines(n, lines) << "\n";
}
