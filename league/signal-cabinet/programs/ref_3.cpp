// Counts for every lever what stands in the way of pulling it and of putting it back.
#include <bits/stdc++.h>
using namespace std;

vector<int> refusedMoves(int levers, vector<vector<int>>& needs, vector<vector<int>>& bars, vector<int>& moves) {
    vector<vector<int>> needed_by(levers + 1), needing(levers + 1), barred(levers + 1);
    vector<int> in_the_way(levers + 1), holding(levers + 1), refused;
    for (auto& pair : needs) {
        needed_by[pair[1]].push_back(pair[0]);  // is freed when pair[1] is pulled
        needing[pair[0]].push_back(pair[1]);    // is held while pair[0] is pulled
        ++in_the_way[pair[0]];
    }
    for (auto& pair : bars) {
        barred[pair[0]].push_back(pair[1]);
        barred[pair[1]].push_back(pair[0]);
    }
    vector<char> pulled(levers + 1);
    for (size_t at = 0; at < moves.size(); ++at) {
        int lever = moves[at];
        if (pulled[lever] ? holding[lever] : in_the_way[lever]) {
            refused.push_back(at + 1);
            continue;
        }
        int change = pulled[lever] ? -1 : 1;
        pulled[lever] ^= 1;
        for (int other : needed_by[lever]) in_the_way[other] -= change;
        for (int other : barred[lever]) in_the_way[other] += change;
        for (int other : needing[lever]) holding[other] += change;
    }
    return refused;
}
