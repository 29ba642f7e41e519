#include <bits/stdc++.h>
using namespace std;

// The roll by time of adding, and two ordered sets: of depths, and of the differences between neighbours.
class EchoSounder {
    size_t capacity;
    int clock = 0;
    map<int, int> roll;
    set<pair<int, int>> deepest;  // {-depth, time}: the deepest comes first, of equal ones the oldest
    multiset<int> differences;

    void tie(map<int, int>::iterator left, map<int, int>::iterator right) {
        differences.insert(abs(left->second - right->second));
    }

    void untie(map<int, int>::iterator left, map<int, int>::iterator right) {
        differences.erase(differences.find(abs(left->second - right->second)));
    }

    void remove(map<int, int>::iterator one) {
        auto after = next(one);
        if (one != roll.begin()) {
            untie(prev(one), one);
            if (after != roll.end()) tie(prev(one), after);
        }
        if (after != roll.end()) untie(one, after);
        deepest.erase({-one->second, one->first});
        roll.erase(one);
    }

public:
    EchoSounder(int capacity) : capacity(capacity) {}

    void ping(int depth) {
        if (roll.size() == capacity) remove(roll.find(deepest.begin()->second));
        auto added = roll.emplace_hint(roll.end(), ++clock, depth);
        deepest.insert({-depth, clock});
        if (added != roll.begin()) tie(prev(added), added);
    }

    int retract() {
        if (roll.empty()) return -1;
        auto last = prev(roll.end());
        int depth = last->second;
        remove(last);
        return depth;
    }

    int steepest() { return differences.empty() ? 0 : *differences.rbegin(); }
};
