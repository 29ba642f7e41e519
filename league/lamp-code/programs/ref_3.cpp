// Follows the definition: behind a first lit lamp stand dark ones, and then a shorter list backward.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    vector<long long> ways;  // patterns of a row of so many lamps
    int gap = 0;

    long long count(int lamps) { return ways[max(lamps, 0)]; }

    long long number(const string& pattern, int from) {  // 0 if it is crossed out
        int lamps = pattern.size() - from;
        if (lamps <= 0) return 1;
        if (pattern[from] == '0') return number(pattern, from + 1);
        for (int at = from + 1; at <= from + gap && at < (int)pattern.size(); ++at)
            if (pattern[at] == '1') return 0;
        long long rest = number(pattern, from + 1 + gap);
        return rest ? count(lamps - 1) + count(lamps - 1 - gap) + 1 - rest : 0;
    }

    string pattern(int lamps, long long number) {
        if (lamps <= 0) return "";
        if (number <= count(lamps - 1)) return "0" + pattern(lamps - 1, number);
        long long rest = count(lamps - 1) + count(lamps - 1 - gap) + 1 - number;
        return "1" + string(min(gap, lamps - 1), '0') + pattern(lamps - 1 - gap, rest);
    }

public:
    vector<string> translate(int lamps, int gap, vector<string>& queries) {
        this->gap = gap;
        ways = {1};
        for (int row = 1; row <= lamps; ++row) ways.push_back(count(row - 1) + count(row - 1 - gap));
        vector<string> answers;
        for (auto& query : queries) {
            if (query[0] == '#') {
                long long wanted = stoll(query.substr(1));
                answers.push_back(wanted > count(lamps) ? "none" : pattern(lamps, wanted));
            } else {
                long long found = number(query, 0);
                answers.push_back(found ? to_string(found) : "none");
            }
        }
        return answers;
    }
};
