// Right, but compares every two branches of the same size.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    vector<vector<int>> children;
    string kinds;

    bool twins(int one, int two) {
        vector<pair<int, int>> todo = {{one, two}};
        while (!todo.empty()) {
            auto [a, b] = todo.back();
            todo.pop_back();
            if (kinds[a] != kinds[b] || children[a].size() != children[b].size()) return false;
            for (size_t at = 0; at < children[a].size(); ++at)
                todo.push_back({children[a][at], children[b][children[b].size() - 1 - at]});
        }
        return true;
    }

public:
    long long mirrorPairs(vector<int>& parents, string letters) {
        int count = parents.size();
        children.assign(count, {});
        kinds = letters;
        vector<int> sizes(count, 1);
        for (int polyp = count - 1; polyp > 0; --polyp) sizes[parents[polyp]] += sizes[polyp];
        for (int polyp = 1; polyp < count; ++polyp) children[parents[polyp]].push_back(polyp);
        long long pairs = 0;
        for (int two = 0; two < count; ++two)
            for (int one = 0; one < two; ++one)
                if (sizes[one] == sizes[two] && twins(one, two)) ++pairs;
        return pairs;
    }
};
