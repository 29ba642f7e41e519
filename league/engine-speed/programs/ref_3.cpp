// Newton's method from below: the time is a convex function of the speed that falls, so no step goes too far.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    double slowestSpeed(vector<int>& legs, vector<int>& currents, int hours) {
        map<int, double> length;
        for (size_t i = 0; i < legs.size(); ++i) length[currents[i]] += legs[i];
        double speed = 0;  // a single current's share takes all the time at a speed that is not too high
        for (auto [current, leg] : length) speed = max(speed, leg / hours - current);
        for (int turn = 0; turn < 200; ++turn) {
            double over = -hours, slope = 0;
            for (auto [current, leg] : length) {
                over += leg / (speed + current);
                slope += leg / ((speed + current) * (speed + current));
            }
            if (over <= 0) break;
            speed += over / slope;
        }
        return speed;
    }
};
