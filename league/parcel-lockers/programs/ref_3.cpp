// Free lockers are in an ordered set by size and number; waiting parcels in one by number.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    vector<int> assignLockers(vector<int>& lockers, vector<int>& events) {
        set<pair<int, int>> free;
        for (size_t i = 0; i < lockers.size(); ++i) free.insert({lockers[i], i});
        vector<int> places, sizes;
        set<int> waiting;
        for (int event : events) {
            if (event > 0) {
                auto found = free.lower_bound({event, -1});
                sizes.push_back(event);
                if (found == free.end()) {
                    waiting.insert(places.size());
                    places.push_back(-1);
                } else {
                    places.push_back(found->second);
                    free.erase(found);
                }
                continue;
            }
            int parcel = -event - 1;
            if (waiting.erase(parcel)) continue;
            int locker = places[parcel];
            auto next = find_if(waiting.begin(), waiting.end(), [&](int other) { return sizes[other] <= lockers[locker]; });
            if (next == waiting.end()) {
                free.insert({lockers[locker], locker});
            } else {
                places[*next] = locker;
                waiting.erase(next);
            }
        }
        return places;
    }
};
