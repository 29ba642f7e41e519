// From the first digit down: whether a carry has to come from behind, and how many carries are left.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    int base = 0;
    vector<int> step, most;
    map<array<int, 4>, long long> known;

    // Numbers for the places below `place` that send a carry into it or not, with so many carries among them.
    long long count(int place, int carry, int carries, int tight) {
        if (carries < 0) return 0;
        if (place == 0) return !carry && !carries;
        array<int, 4> key = {place, carry, carries, tight};
        auto found = known.find(key);
        if (found != known.end()) return found->second;
        long long total = 0;
        for (int digit = 0; digit <= (tight ? most[place - 1] : base - 1); ++digit)
            for (int behind = 0; behind < 2; ++behind)
                if ((digit + step[place - 1] + behind >= base) == carry)
                    total += count(place - 1, behind, carries - carry, tight && digit == most[place - 1]);
        return known[key] = total;
    }

public:
    vector<long long> countTwins(vector<vector<long long>>& queries) {
        vector<long long> answers;
        for (auto& query : queries) {
            base = query[0];
            step.clear(), most.clear(), known.clear();
            int sum = 0;
            for (long long rest = query[1]; rest; rest /= base) step.push_back(rest % base), sum += rest % base;
            for (long long rest = query[2]; rest; rest /= base) most.push_back(rest % base);
            size_t size = max(step.size(), most.size()) + 1;
            step.resize(size), most.resize(size);
            answers.push_back(sum % (base - 1) ? 0 : count(size, 0, sum / (base - 1), 1));
        }
        return answers;
    }
};
