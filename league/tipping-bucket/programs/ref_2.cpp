// Bisects twice: for the neighbours of a cut, and for the longest wait. Gaps of the circle are told by the three gap theorem.
#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>
using namespace std;

typedef __int128 Big;

// The least x >= 0 with low <= a x mod m <= high, or -1; 0 <= low <= high < m.
Big hit(Big a, Big m, Big low, Big high) {
    if (low == 0) return 0;
    if (a == 0) return -1;
    if (2 * a > m) return hit(m - a, m, m - high, m - low);
    Big x = (low + a - 1) / a;
    if (a * x <= high) return x;
    Big y = hit((a - m % a) % a, a, low % a, high % a);
    return y < 0 ? -1 : (low + m * y + a - 1) / a;
}

// The least x >= start at which (a x + b) mod m lies in the `length` places from `low` on.
Big later(Big a, Big b, Big m, Big low, Big length, Big start) {
    if (length >= m) return start;
    low = ((low - b - a * (start % m)) % m + m) % m;
    if (low + length > m) return start;
    return start + hit(a, m, low, low + length - 1);
}

struct Gap {
    Big first, last, length;  // the cuts first..last have a gap of this length after them
};

// Of the places c j mod m for 0 <= j < count; c and m have no common factor, 1 <= count <= m.
vector<Gap> gaps(Big c, Big m, Big count) {
    if (count == 1) return {{0, 0, m}};
    auto nearest = [&](Big step) {  // the least x in 1 .. count - 1 with the least step * x mod m
        Big lo = 1, hi = m - 1;
        while (lo < hi) {
            Big mid = (lo + hi) / 2;
            if (1 + later(step, step, m, 1, mid, 0) < count) hi = mid;
            else lo = mid + 1;
        }
        return 1 + later(step, step, m, 1, lo, 0);
    };
    Big up = nearest(c), down = nearest(m - c);
    Big above = c * up % m, below = (m - c) * down % m;
    vector<Gap> all;
    for (Gap gap : {Gap{0, count - up - 1, above}, Gap{count - up, down - 1, above + below}, Gap{down, count - 1, below}})
        if (gap.first <= gap.last) all.push_back(gap);
    return all;
}

int main() {
    int q;
    cin >> q;
    while (q--) {
        int64_t a0, m0, b0, k0;
        cin >> a0 >> m0 >> b0 >> k0;
        Big g = gcd(a0, m0), a = a0 / g, m = m0 / g, b = b0 / g, k = k0;
        vector<Gap> patterns = gaps(m - a, m, min(k + 1, m));
        // Whether some pattern is not heard at the times 0 to t - 1. Seen from the gap after cut j, that is a run of t
        // misses from time j on: (a j + b) mod m lies in none of the t arcs that begin at -s a.
        auto missed = [&](Big t) {
            if (t >= m) return false;
            for (Gap& arc : gaps(m - a, m, t))
                for (Gap& pattern : patterns) {
                    Big free = arc.length - pattern.length;
                    if (free <= 0) continue;
                    Big x = later(a, b, m, pattern.length, free, pattern.first + arc.first);
                    if (x <= pattern.last + arc.last) return true;
                }
            return false;
        };
        Big lo = 0, hi = m;
        while (hi - lo > 1) {
            Big mid = (lo + hi) / 2;
            (missed(mid) ? lo : hi) = mid;
        }
        cout << (int64_t)(lo + k) << "\n";
    }
}
