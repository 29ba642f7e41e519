// Asks whether an entry is valid only when that is needed: it is if none of those that strike it out is.
#include <bits/stdc++.h>
using namespace std;

vector<long long> settle(int pans, vector<vector<int>>& entries) {
    int size = entries.size();
    vector<vector<int>> strikers(size);
    for (int at = 0; at < size; ++at)
        if (entries[at][0] == 1) strikers[entries[at][1]].push_back(at);
    vector<signed char> valid(size, -1);  // -1: not known yet
    vector<size_t> looked(size);
    vector<long long> amounts(pans);
    for (int entry = 0; entry < size; ++entry) {
        vector<int> todo;
        if (valid[entry] < 0) todo.push_back(entry);
        while (!todo.empty()) {
            int here = todo.back();
            if (looked[here] == strikers[here].size()) {
                valid[here] = 1;
                todo.pop_back();
                continue;
            }
            int striker = strikers[here][looked[here]];
            if (valid[striker] < 0) {
                todo.push_back(striker);
            } else if (valid[striker]) {
                valid[here] = 0;
                todo.pop_back();
            } else {
                ++looked[here];
            }
        }
        if (valid[entry] && entries[entry][0] == 0) amounts[entries[entry][1]] += entries[entry][2];
    }
    return amounts;
}
