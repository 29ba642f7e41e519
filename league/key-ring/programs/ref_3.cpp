#include <bits/stdc++.h>
using namespace std;

// Which key hangs on each hook; a step is taken hook by hook.
class KeyRing {
    vector<int> number;  // 0: the hook is free
    int hand = 0, keys = 0;

public:
    KeyRing(int hooks) : number(hooks) {}

    int hang(int step) {
        int size = number.size();
        if (!count(number.begin(), number.end(), 0)) return -1;
        while (step > 0) {
            hand = (hand + 1) % size;
            if (!number[hand]) --step;
        }
        number[hand] = ++keys;
        return hand;
    }

    int take(int hook) {
        if (!number[hook]) return -1;
        return keys - exchange(number[hook], 0);
    }

    int longest() {
        int size = number.size(), best = 0, row = 0;
        for (int at = 0; at < 2 * size; ++at) {
            row = number[at % size] ? 0 : row + 1;
            best = max(best, row);
        }
        return min(best, size);
    }
};
