// For each set of bells the minutes at which all of them ring, made of those of a smaller set.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    using Wide = __int128;
    struct Meeting {
        bool ever = true;
        Wide first = 0, period = 1;
    };

    static Wide inverse(Wide value, Wide modulus) {
        Wide a = value % modulus, b = modulus, x = 1, y = 0;
        while (b) {
            Wide turns = a / b;
            tie(a, b) = make_tuple(b, a - turns * b);
            tie(x, y) = make_tuple(y, x - turns * y);
        }
        return (x % modulus + modulus) % modulus;
    }

    static Meeting meet(const Meeting& some, Wide start, Wide step, Wide last) {
        if (!some.ever) return some;
        if (some.period > last) {  // a single minute within the time that counts
            bool rings = some.first >= start && (some.first - start) % step == 0;
            return rings ? some : Meeting{false, 0, 1};
        }
        Wide common = __gcd(some.period, step), apart = start - some.first;
        if (apart % common) return {false, 0, 1};
        Wide part = step / common, turns = (apart / common % part + part) % part * inverse(some.period / common, part) % part;
        Meeting both{true, some.first + turns * some.period, some.period / common * step};
        if (both.first < start) both.first += (start - both.first + both.period - 1) / both.period * both.period;
        both.ever = both.first <= last;
        return both;
    }

public:
    long long oddMinutes(vector<vector<long long>>& bells, long long first, long long last) {
        int sets = 1 << bells.size();
        vector<Meeting> meetings(sets);
        Wide odd = 0;
        for (int set = 1; set < sets; ++set) {
            int bell = __builtin_ctz(set), rest = set & (set - 1);
            meetings[set] = meet(meetings[rest], bells[bell][0], bells[bell][1], last);
            const Meeting& all = meetings[set];
            if (!all.ever || all.first > last) continue;
            Wide until = (last - all.first) / all.period + 1;
            Wide before = all.first >= first ? 0 : (first - all.first + all.period - 1) / all.period;
            Wide weight = (Wide)1 << (__builtin_popcount(set) - 1);
            odd += (__builtin_popcount(set) % 2 ? weight : -weight) * (until - before);
        }
        return odd;
    }
};
