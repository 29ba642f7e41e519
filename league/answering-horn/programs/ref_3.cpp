#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    vector<long long> answerTimes(vector<long long>& blasts, long long length, long long patience) {
        vector<long long> begun(blasts.size(), -1);
        size_t next = 0;
        long long now = 0, remembered = -1;
        while (next < blasts.size() || remembered >= 0) {
            size_t answered = remembered >= 0 ? size_t(remembered) : next++;
            now = remembered >= 0 ? now : blasts[answered];
            begun[answered] = now;
            now += length;
            remembered = -1;
            while (next < blasts.size() && blasts[next] <= now) remembered = (long long)next++;
            if (remembered >= 0 && now - blasts[remembered] > patience) remembered = -1;
        }
        return begun;
    }
};
