// Each plank remembers what was the highest on its two posts before it.
#include <bits/stdc++.h>
using namespace std;

class Solution {
public:
    vector<int> plankPile(int posts, vector<int>& drops) {
        struct Plank {
            int layer, left, right;
        };
        vector<Plank> planks = {{0, 0, 0}};
        vector<int> highest(posts + 2);
        for (int place : drops) {
            int left = highest[place], right = highest[place + 1];
            if (left && left == right) {
                highest[place] = planks[left].left;
                highest[place + 1] = planks[left].right;
                continue;
            }
            highest[place] = highest[place + 1] = planks.size();
            planks.push_back({max(planks[left].layer, planks[right].layer) + 1, left, right});
        }
        vector<int> tops;
        for (int post = 1; post <= posts; ++post) tops.push_back(planks[highest[post]].layer);
        return tops;
    }
};
