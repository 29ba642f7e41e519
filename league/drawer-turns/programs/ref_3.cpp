// Permutations by squaring.
#include <bits/stdc++.h>
using namespace std;

using Moves = vector<int>;

static Moves then(const Moves& one, const Moves& two) {
    Moves both(one.size());
    for (size_t at = 0; at < one.size(); ++at) both[at] = two[one[at]];
    return both;
}

static Moves power(Moves moves, long long times) {
    Moves result(moves.size());
    iota(result.begin(), result.end(), 0);
    for (; times; times /= 2, moves = then(moves, moves))
        if (times & 1) result = then(result, moves);
    return result;
}

vector<int> boxesAfter(vector<int>& daily, vector<int>& special, long long every, long long days) {
    for (int& drawer : daily) --drawer;
    for (int& drawer : special) --drawer;
    Moves round = then(power(daily, every - 1), special);
    Moves last = then(power(round, days / every), power(daily, days % every));
    vector<int> boxes(daily.size());
    for (size_t box = 0; box < last.size(); ++box) boxes[last[box]] = box + 1;
    return boxes;
}
