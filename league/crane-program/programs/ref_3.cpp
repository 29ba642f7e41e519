// A program's effect on the places, counted from where the crane begins; repetitions by squaring.
#include <bits/stdc++.h>
using namespace std;

class Solution {
    struct Effect {
        int move = 0;
        vector<char> cleared;
        vector<long long> added;
    };
    int size = 0;
    string text;

    Effect nothing() { return {0, vector<char>(size), vector<long long>(size)}; }

    Effect then(const Effect& one, const Effect& two) {
        Effect both = one;
        both.move = (one.move + two.move) % size;
        for (int place = 0; place < size; ++place) {
            int target = (one.move + place) % size;
            if (two.cleared[place]) both.cleared[target] = 1, both.added[target] = 0;
            both.added[target] += two.added[place];
        }
        return both;
    }

    Effect mirrored(const Effect& one) {
        Effect made = nothing();
        made.move = (size - one.move) % size;
        for (int place = 0; place < size; ++place) {
            made.cleared[(size - place) % size] = one.cleared[place];
            made.added[(size - place) % size] = one.added[place];
        }
        return made;
    }

    Effect times(const Effect& one, long long count) {
        if (count == 1) return one;
        Effect half = times(one, count / 2), both = then(half, half);
        return count % 2 ? then(both, one) : both;
    }

    Effect run(size_t& at) {
        Effect done = nothing();
        while (at < text.size() && text[at] != ')') {
            Effect next = nothing();
            if (text[at] == 'R' || text[at] == 'L') {
                next.move = (text[at++] == 'R' ? 1 : size - 1) % size;
            } else if (text[at] == 'D') {
                next.added[0] = 1, ++at;
            } else if (text[at] == 'X') {
                next.cleared[0] = 1, ++at;
            } else if (text[at] == '~') {
                at += 2;
                next = mirrored(run(at));
                ++at;
            } else {
                long long count = 0;
                while (isdigit(text[at])) count = count * 10 + text[at++] - '0';
                next = times(run(++at), count);
                ++at;
            }
            done = then(done, next);
        }
        return done;
    }

public:
    vector<long long> runCrane(int places, string program) {
        size = places;
        text = program;
        size_t at = 0;
        Effect all = run(at);
        auto highest = max_element(all.added.begin(), all.added.end());
        return {all.move, *highest, *highest ? highest - all.added.begin() : 0};
    }
};
