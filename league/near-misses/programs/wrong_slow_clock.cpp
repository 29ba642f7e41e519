// Right, but lets the clock run and moves all ships every minute.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    int nearMisses(vector<vector<long long>>& ships, long long d) {
        size_t count = ships.size();
        vector<vector<char>> met(count, vector<char>(count));
        __int128 square = (__int128)d * d;
        for (long long now = 0; now <= 1000000; ++now)
            for (size_t i = 0; i < count; ++i) {
                if (now < ships[i][4] || now > ships[i][5]) continue;
                for (size_t j = 0; j < i; ++j) {
                    if (met[i][j] || now < ships[j][4] || now > ships[j][5]) continue;
                    const auto &one = ships[i], &two = ships[j];
                    long long vx = one[2] - two[2], vy = one[3] - two[3];
                    __int128 x = one[0] - two[0] + one[2] * (now - one[4]) - two[2] * (now - two[4]);
                    __int128 y = one[1] - two[1] + one[3] * (now - one[4]) - two[3] * (now - two[4]);
                    __int128 speed = (__int128)vx * vx + (__int128)vy * vy, closing = -(x * vx + y * vy);
                    __int128 cross = x * vy - y * vx;
                    bool inside = closing > 0 && closing < speed && now < one[5] && now < two[5];
                    met[i][j] = x * x + y * y < square || (inside && cross * cross < square * speed);
                }
            }
        int found = 0;
        for (auto& row : met) found += count_if(row.begin(), row.end(), [](char one) { return one; });
        return found;
    }
};
