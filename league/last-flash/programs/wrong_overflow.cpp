// The sums are kept in 64 bits.
#include <algorithm>
#include <cstdint>
#include <iostream>

typedef int64_t Big;

Big below(Big n, Big m, Big a, Big b) {
    if (n <= 0) return 0;
    Big sum = (Big)((uint64_t)(n - 1) * n / 2 * (a / m) + (uint64_t)n * (b / m));
    a %= m;
    b %= m;
    Big top = (Big)((uint64_t)a * n + b);
    if (top < m || !a) return sum;
    return (Big)((uint64_t)sum + below(top / m, a, m, top % m));
}

uint64_t rests(Big n, Big m, Big a, Big b) {
    a = (a % m + m) % m;
    b = (b % m + m) % m;
    return (uint64_t)a * ((uint64_t)n * (n - 1) / 2) + (uint64_t)n * b - (uint64_t)m * below(n, m, a, b);
}

Big count(Big p, Big a, Big r, Big b, Big x) {
    if (x < p) return 0;
    Big total = x - p + 1;
    if (a <= b) {
        Big first = r >= p ? r : r + (p - r + b - 1) / b * b;
        if (first > x) return total;
        Big n = (x - first) / b + 1, last = first + (n - 1) * b;
        Big lost = (Big)((uint64_t)n * a - rests(n, a, b, first - p));
        return total - (lost - std::max<Big>(0, last + a - (last - p) % a - 1 - x));
    }
    Big good = 0, first = p;
    if (p < r) {
        good = std::min(r - 1, x) - p + 1;
        first = p + (r - p + a - 1) / a * a;
    }
    if (x < r || first > x) return good;
    Big n = (x - first) / a + 1, last = first + (n - 1) * a;
    good += rests(n, b, -a, r - first);
    return good - std::max<Big>(0, last + ((r - last) % b + b) % b - 1 - x);
}

int main() {
    int q;
    std::cin >> q;
    while (q--) {
        Big p, a, r, b, s, t;
        std::cin >> p >> a >> r >> b >> s >> t;
        std::cout << count(p, a, r, b, t) - count(p, a, r, b, s - 1) << "\n";
    }
}
