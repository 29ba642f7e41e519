// First which rides are clipped and with how many fields, then the strips.
#include <bits/stdc++.h>
using namespace std;

vector<long long> clipTickets(vector<vector<int>>& rides, int fields, int span) {
    vector<int> clips;
    int latest = -1;
    for (size_t at = 0; at < rides.size(); ++at) {
        int minute = rides[at][0], hour = minute / 60 % 24;
        bool back = at && rides[at][1] == rides[at - 1][1] && rides[at][2] != rides[at - 1][2];
        if (latest >= 0 && minute - latest <= span && !back) continue;
        latest = minute;
        clips.push_back(hour == 23 || hour < 5 ? 2 : 1);
    }
    long long strips = 0, thrown = 0, left = 0;
    for (int needed : clips) {
        if (left < needed) {
            thrown += left;
            left = fields;
            ++strips;
        }
        left -= needed;
    }
    return {strips, (long long)(rides.size() - clips.size()), thrown};
}
