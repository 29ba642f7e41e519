// The longest row of crates none of which may stand on another, by a tree of the best row for every range of depths.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    int fewestStacks(vector<vector<int>>& crates) {
        sort(crates.begin(), crates.end(), [](const vector<int>& a, const vector<int>& b) {
            return a[0] != b[0] ? a[0] < b[0] : a[1] > b[1];
        });
        vector<int> tree(1002);  // of depth 1001 - index and more
        int most = 0;
        for (auto& crate : crates) {
            int row = 1;
            for (int at = 1001 - crate[1]; at; at -= at & -at) row = max(row, tree[at] + 1);
            for (int at = 1001 - crate[1]; at < 1002; at += at & -at) tree[at] = max(tree[at], row);
            most = max(most, row);
        }
        return most;
    }
};
