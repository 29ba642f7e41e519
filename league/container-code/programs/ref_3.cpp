// For every place, digit before it and remainder so far: whether the rest of the code can be filled in.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    string repair(string code, int divisor) {
        int size = code.size();
        // open[place][before][remainder]; `before` is 10 in front of the first digit
        vector<vector<vector<char>>> open(size + 1, vector<vector<char>>(11, vector<char>(divisor)));
        for (int before = 0; before <= 10; ++before) open[size][before][0] = 1;
        auto fits = [&](int place, int before, int digit) {
            return (code[place] == '?' || code[place] == '0' + digit) && (before == 10 || abs(before - digit) >= 2);
        };
        for (int place = size - 1; place >= 0; --place)
            for (int before = 0; before <= 10; ++before)
                for (int digit = 0; digit < 10; ++digit)
                    if (fits(place, before, digit))
                        for (int rest = 0; rest < divisor; ++rest)
                            open[place][before][rest] |= open[place + 1][digit][(rest * 10 + digit) % divisor];
        if (!open[0][10][0]) return "none";
        int before = 10, rest = 0;
        for (int place = 0; place < size; ++place) {
            int digit = 0;
            while (!fits(place, before, digit) || !open[place + 1][digit][(rest * 10 + digit) % divisor]) ++digit;
            code[place] = '0' + digit;
            rest = (rest * 10 + digit) % divisor;
            before = digit;
        }
        return code;
    }
};
