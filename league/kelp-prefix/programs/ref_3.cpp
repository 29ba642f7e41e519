// A tree of letters that counts how many strands go through each node.
#include <array>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n, k;
    std::cin >> n >> k;
    std::vector<std::array<int, 26>> next(1);
    std::vector<int> through(1);
    for (std::string word; std::cin >> word;) {
        int node = 0;
        for (char letter : word) {
            int& child = next[node][letter - 'a'];
            if (!child) {
                child = through.size();
                node = child;
                next.push_back({});
                through.push_back(0);
            } else {
                node = child;
            }
            ++through[node];
        }
    }
    std::string path, best;
    auto walk = [&](auto&& self, int node) -> void {
        if (path.size() > best.size()) best = path;
        for (int letter = 0; letter < 26; ++letter) {
            int child = next[node][letter];
            if (!child || through[child] < k) continue;
            path += char('a' + letter);
            self(self, child);
            path.pop_back();
        }
    };
    walk(walk, 0);
    std::cout << (best.empty() ? "-" : best) << "\n";
}
