// What the clock has shown is a union of stretches; counts for each time the days on which it lies in one of them.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    using Span = pair<long long, long long>;

    static vector<Span> shown(const vector<vector<long long>>& changes, long long end) {
        vector<Span> spans, apart;
        long long start = 0, offset = 0;
        for (size_t at = 0; at <= changes.size(); ++at) {
            long long stop = at < changes.size() ? min(changes[at][0], end) : end;
            if (start < stop) spans.push_back({start + offset, stop + offset});
            start = max(start, stop);
            if (at < changes.size()) offset += changes[at][1];
        }
        sort(spans.begin(), spans.end());
        for (auto [low, high] : spans) {
            if (!apart.empty() && low <= apart.back().second) apart.back().second = max(apart.back().second, high);
            else apart.push_back({low, high});
        }
        return apart;
    }

    static long long days_before(long long minute, long long time) {  // days whose `time` is before this minute
        long long late = minute - time + 1439;
        return late >= 0 ? late / 1440 : -((-late + 1439) / 1440);
    }

public:
    vector<long long> countChimes(vector<vector<long long>>& changes, long long first, long long last,
                                  vector<string>& chimes) {
        vector<Span> before = shown(changes, first), after = shown(changes, last + 1);
        vector<long long> answers;
        for (auto& each : chimes) {
            long long time = stoi(each.substr(0, 2)) * 60 + stoi(each.substr(3)), count = 0;
            for (auto [low, high] : after) count += days_before(high, time) - days_before(low, time);
            for (auto [low, high] : before) count -= days_before(high, time) - days_before(low, time);
            answers.push_back(count);
        }
        return answers;
    }
};
