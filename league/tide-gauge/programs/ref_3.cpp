// Finds the next hour at which the alarm changes, turn by turn.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    vector<int> tideAlarms(vector<int>& levels, int low, int high) {
        int switched = 0, longest = 0;
        auto at = levels.begin();
        while (true) {
            at = find_if(at, levels.end(), [&](int level) { return level >= high; });
            if (at == levels.end()) return {switched, longest};
            auto end = find_if(at, levels.end(), [&](int level) { return level <= low; });
            ++switched;
            longest = max(longest, int(end - at));
            at = end;
        }
    }
};
