// Sorts the pulses by the least of their rotations, then by place, and goes through each kind with two fingers.
#include <bits/stdc++.h>
using namespace std;

long long echo_pairs(vector<string>& pulses, int gap) {
    vector<pair<string, int>> kinds;
    for (size_t at = 0; at < pulses.size(); ++at) {
        string least = pulses[at], turned = pulses[at];
        for (size_t turn = 1; turn < turned.size(); ++turn) {
            rotate(turned.begin(), turned.begin() + 1, turned.end());
            least = min(least, turned);
        }
        kinds.push_back({least, at});
    }
    sort(kinds.begin(), kinds.end());
    long long pairs = 0;
    for (size_t from = 0, to = 0; from < kinds.size(); from = to) {
        size_t early = from;
        for (to = from; to < kinds.size() && kinds[to].first == kinds[from].first; ++to) {
            while (kinds[to].second - kinds[early].second >= gap) ++early;
            pairs += early - from;
        }
    }
    return pairs;
}
