// Right, but fills in the whole chart, with the routes over each number of reefs side by side.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    int countRoutes(int east, int north, vector<vector<int>>& reefs, int scratches) {
        const unsigned mod = 998244353;
        vector<vector<int>> columns(east + 1);
        for (auto& reef : reefs) columns[reef[0]].push_back(reef[1]);
        vector<array<unsigned, 4>> routes(north + 1, {0, 0, 0, 0});
        routes[0][0] = 1;
        for (auto& column : columns) {
            sort(column.begin(), column.end());
            column.push_back(north + 1);
            array<unsigned, 4> from_south = {0, 0, 0, 0};
            int y = 0;
            for (int reef : column) {
                for (; y < reef; ++y)
                    for (int k = 0; k < 4; ++k) {
                        unsigned sum = routes[y][k] + from_south[k];
                        routes[y][k] = from_south[k] = min(sum, sum - mod);
                    }
                if (y > north) break;
                array<unsigned, 4> here = {0, 0, 0, 0};
                for (int k = 0; k < 3; ++k) here[k + 1] = (routes[y][k] + from_south[k]) % mod;
                routes[y++] = from_south = here;
            }
        }
        unsigned long long total = 0;
        for (int k = 0; k <= scratches; ++k) total += routes[north][k];
        return total % mod;
    }
};
