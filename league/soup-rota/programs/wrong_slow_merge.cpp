// Right, but merges the sorted spoons of every two soups.
#include <bits/stdc++.h>
using namespace std;

vector<vector<string>> oneMore(vector<vector<string>>& menu) {
    vector<vector<string>> soups, pairs;
    for (auto& entry : menu) {
        soups.emplace_back(entry.begin() + 1, entry.end());
        sort(soups.back().begin(), soups.back().end());
    }
    for (size_t a = 0; a < menu.size(); ++a)
        for (size_t b = 0; b < menu.size(); ++b) {
            const auto &less = soups[a], &more = soups[b];
            if (more.size() != less.size() + 1) continue;
            size_t skipped = 0, at = 0;
            while (at < less.size() && skipped < 2) {
                if (less[at] == more[at + skipped]) ++at;
                else ++skipped;
            }
            if (skipped < 2) pairs.push_back({menu[a][0], menu[b][0]});
        }
    return pairs;
}
