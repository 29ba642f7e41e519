// The square of the distance is a parabola in time: its value at both ends of the common time, and at its vertex.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    int nearMisses(vector<vector<long long>>& ships, long long d) {
        int found = 0;
        for (size_t i = 0; i < ships.size(); ++i)
            for (size_t j = 0; j < i; ++j) found += near(ships[i], ships[j], d);
        return found;
    }

private:
    // With these limits every cross and dot product fits into 64 bits, and its square into 128.
    static bool near(const vector<long long>& one, const vector<long long>& two, long long d) {
        long long low = max(one[4], two[4]), length = min(one[5], two[5]) - low;
        if (length < 0) return false;
        long long vx = one[2] - two[2], vy = one[3] - two[3];
        long long x = one[0] - two[0] + one[2] * (low - one[4]) - two[2] * (low - two[4]);
        long long y = one[1] - two[1] + one[3] * (low - one[4]) - two[3] * (low - two[4]);
        auto within = [&](long long time) {
            __int128 p = x + vx * time, q = y + vy * time;
            return p * p + q * q < (__int128)d * d;
        };
        if (within(0) || within(length)) return true;
        __int128 speed = (__int128)vx * vx + (__int128)vy * vy, closing = -((__int128)x * vx + (__int128)y * vy);
        if (closing <= 0 || closing >= length * speed) return false;
        __int128 cross = (__int128)x * vy - (__int128)y * vx;
        return cross * cross < (__int128)d * d * speed;
    }
};
