// Gives every channel outside a spanning tree a random number; a channel of the tree is on no ring if nothing covers it.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    vector<int> fatalClosures(int harbours, vector<vector<int>>& channels) {
        vector<vector<pair<int, int>>> joined(harbours + 1);
        for (size_t i = 0; i < channels.size(); ++i) {
            joined[channels[i][0]].push_back({channels[i][1], i});
            joined[channels[i][1]].push_back({channels[i][0], i});
        }
        mt19937_64 rng(20260722);
        vector<int> came(harbours + 1, -1), above(harbours + 1), order;
        vector<char> seen(harbours + 1), in_tree(channels.size());
        for (int root = 1; root <= harbours; ++root) {
            if (seen[root]) continue;
            seen[root] = true;
            order.push_back(root);
            for (size_t at = order.size() - 1; at < order.size(); ++at)
                for (auto [there, number] : joined[order[at]])
                    if (!seen[there]) {
                        seen[there] = in_tree[number] = true;
                        came[there] = number;
                        above[there] = order[at];
                        order.push_back(there);
                    }
        }
        vector<uint64_t> cover(harbours + 1);
        for (size_t i = 0; i < channels.size(); ++i) {
            if (in_tree[i]) continue;
            uint64_t number = rng();
            cover[channels[i][0]] ^= number;
            cover[channels[i][1]] ^= number;
        }
        vector<int> fatal;
        for (size_t at = order.size(); at-- > 0;) {
            int here = order[at];
            if (came[here] < 0) continue;
            if (!cover[here]) fatal.push_back(came[here] + 1);
            cover[above[here]] ^= cover[here];
        }
        return fatal;
    }
};
