// First the routes from each reef straight to each other, then over one reef after the other.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    static const long long MOD = 998244353;
    vector<long long> factorial, inverse;

    static long long power(long long base, long long exponent) {
        long long result = 1;
        for (; exponent; exponent /= 2, base = base * base % MOD)
            if (exponent & 1) result = result * base % MOD;
        return result;
    }

    long long routes(const vector<int>& from, const vector<int>& to) {
        int x = to[0] - from[0], y = to[1] - from[1];
        return x < 0 || y < 0 ? 0 : factorial[x + y] * inverse[x] % MOD * inverse[y] % MOD;
    }

public:
    int countRoutes(int east, int north, vector<vector<int>>& reefs, int scratches) {
        factorial.assign(east + north + 1, 1);
        for (int i = 1; i <= east + north; ++i) factorial[i] = factorial[i - 1] * i % MOD;
        inverse.assign(east + north + 1, power(factorial.back(), MOD - 2));
        for (int i = east + north; i > 0; --i) inverse[i - 1] = inverse[i] * i % MOD;

        vector<vector<int>> squares = reefs;
        squares.push_back({0, 0});
        squares.push_back({east, north});
        sort(squares.begin(), squares.end());
        int size = squares.size();
        // straight[a][b]: routes from a to b that meet no reef in between, by the first one that they would meet.
        vector<vector<long long>> straight(size, vector<long long>(size));
        for (int a = 0; a < size; ++a)
            for (int b = a + 1; b < size; ++b) {
                long long count = routes(squares[a], squares[b]);
                for (int first = a + 1; first < b && count >= 0; ++first)
                    count = (count + (MOD - straight[a][first]) * routes(squares[first], squares[b])) % MOD;
                straight[a][b] = count;
            }
        vector<long long> over(size);
        over[0] = 1;
        long long total = 0;
        if (size == 2 && east + north == 0) return 1;
        for (int crossed = 0; crossed <= scratches; ++crossed) {
            vector<long long> next(size);
            for (int a = 0; a < size; ++a)
                for (int b = a + 1; b < size; ++b) next[b] = (next[b] + over[a] * straight[a][b]) % MOD;
            total += next[size - 1];
            next[size - 1] = 0;
            over = next;
        }
        return total % MOD;
    }
};
