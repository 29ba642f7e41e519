// Sorts all soups by their spoons, and searches for each soup with one spoon left out.
#include <bits/stdc++.h>
using namespace std;

vector<vector<string>> oneMore(vector<vector<string>>& menu) {
    vector<pair<vector<string>, string>> soups;
    for (auto& entry : menu) {
        vector<string> spoons(entry.begin() + 1, entry.end());
        sort(spoons.begin(), spoons.end());
        soups.push_back({spoons, entry[0]});
    }
    sort(soups.begin(), soups.end());
    vector<vector<string>> pairs;
    for (auto& [spoons, name] : soups)
        for (size_t at = 0; at < spoons.size(); ++at) {
            if (at && spoons[at] == spoons[at - 1]) continue;
            vector<string> less = spoons;
            less.erase(less.begin() + at);
            auto found = lower_bound(soups.begin(), soups.end(), make_pair(less, string()));
            for (; found != soups.end() && found->first == less; ++found) pairs.push_back({found->second, name});
        }
    return pairs;
}
