// Local search: gives up one or two lines of a forest for more others, and walks at random between forests of one size.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int n, m;
vector<vector<int>> lines, trios;

struct Parts {
    vector<int> top;
    explicit Parts(int count) : top(count) { iota(top.begin(), top.end(), 0); }
    int root(int i) {
        while (top[i] != i) i = top[i] = top[top[i]];
        return i;
    }
    int gain(const vector<int>& line, bool join) {
        int count = 0;
        vector<int> before = top;
        for (size_t k = 1; k < line.size(); ++k) {
            int a = root(line[k]), b = root(line[0]);
            if (a != b) top[a] = b, ++count;
        }
        if (!join) top = before;
        return count;
    }
};

int main() {
    cin >> n >> m;
    string row;
    getline(cin, row);
    while (m-- && getline(cin, row)) {
        istringstream words(row);
        vector<int> line;
        for (int island; words >> island;) line.push_back(island - 1);
        lines.push_back(line);
        if (line.size() == 3) trios.push_back(line);
    }
    Parts all(n);
    int joined = 0;
    for (auto& line : lines) joined += all.gain(line, true);
    if (joined < n - 1) {
        cout << "-1\n";
        return 0;
    }
    mt19937 rng(7);
    vector<int> forest;
    size_t best = 0;
    auto grow = [&]() {
        Parts parts(n);
        for (int t : forest) parts.gain(trios[t], true);
        vector<int> order(trios.size());
        iota(order.begin(), order.end(), 0);
        shuffle(order.begin(), order.end(), rng);
        for (int t : order)
            if (find(forest.begin(), forest.end(), t) == forest.end() && parts.gain(trios[t], false) == 2) {
                parts.gain(trios[t], true);
                forest.push_back(t);
            }
        best = max(best, forest.size());
    };
    grow();
    auto start = chrono::steady_clock::now();
    while (!forest.empty() && chrono::steady_clock::now() - start < chrono::milliseconds(300)) {
        vector<int> before = forest;
        for (int k = 1 + rng() % 2; k-- && !forest.empty();) forest.erase(forest.begin() + rng() % forest.size());
        grow();
        if (forest.size() < before.size()) forest = before;
    }
    cout << n - 1 - (int)best << "\n";
}
