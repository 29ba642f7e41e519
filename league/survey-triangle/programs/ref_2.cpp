#include <cstdlib>
#include <iostream>
#include <numeric>

// Takes a side (a, b) without marks and solves a * y - b * x = area by Euclid; the solutions lie along the side.
bool solve(long long area, long long a, long long b) {
    if (std::gcd(a, b) != 1) return false;
    long long r0 = a, r1 = b, s0 = 1, s1 = 0;
    while (r1) {
        long long q = r0 / r1, r = r0 - q * r1, s = s0 - q * s1;
        r0 = r1, r1 = r, s0 = s1, s1 = s;
    }
    // a * s0 = 1 modulo b
    long long y = (area % b) * (s0 % b) % b;
    if (y < 0) y += b;
    for (; y <= 40000; y += b) {
        long long x = (a * y - area) / b;
        if (x > 40000) break;
        if (x < 0 && a - x > 40000) continue;
        long long shift = x < 0 ? -x : 0;  // everything is moved to the right, onto the map
        if (std::gcd(std::llabs(x), y) != 1 || std::gcd(std::llabs(x - a), std::llabs(y - b)) != 1) continue;
        std::cout << shift << " 0 " << a + shift << " " << b << " " << x + shift << " " << y << "\n";
        return true;
    }
    return false;
}

int main() {
    int t;
    std::cin >> t;
    while (t--) {
        long long area;
        std::cin >> area;
        if (area % 2 == 0) {
            std::cout << "none\n";
            continue;
        }
        for (long long sum = 2;; sum++) {
            bool found = false;
            long long least = area > 40000 ? 28000 : 0;  // a long side where the area is large
            for (long long b = 1; b < sum && !found; b++) found = solve(area, least + sum - b, b);
            if (found) break;
        }
    }
}
