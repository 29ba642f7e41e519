// Marks the minutes of a day in which a tram is there, and goes twice round the clock.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    string longestQuiet(vector<string>& arrivals, int stay) {
        vector<char> busy(1440);
        for (auto& each : arrivals)
            for (int minute = 0; minute < stay; ++minute)
                busy[(stoi(each.substr(0, 2)) * 60 + stoi(each.substr(3)) + minute) % 1440] = 1;
        int best = 0, first = 0;
        for (int begin = 0; begin < 1440; ++begin) {
            if (busy[begin] || !busy[(begin + 1439) % 1440]) continue;
            int length = 0;
            while (!busy[(begin + length) % 1440]) ++length;
            if (length > best) best = length, first = begin;
        }
        if (!best) return "none";
        char text[16];
        snprintf(text, sizeof text, "%02d:%02d %d", first / 60, first % 60, best);
        return text;
    }
};
