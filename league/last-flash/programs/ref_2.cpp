// Counts B's minutes and equal ones where A is the quicker lamp; equal flashes are found by a congruence.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>

typedef __int128 Big;

Big below(Big n, Big m, Big a, Big b) {  // sum of floor((a j + b) / m), j < n
    if (n <= 0) return 0;
    Big sum = (n - 1) * n / 2 * (a / m) + n * (b / m);
    a %= m;
    b %= m;
    Big top = a * n + b;
    return top < m ? sum : sum + below(top / m, a, m, top % m);
}

// Minutes up to x and from `from` on whose latest flash is of the slower lamp (start p, period a >= b) alone.
Big slower(Big p, Big a, Big r, Big b, Big from, Big x) {
    Big sum = 0;
    if (p < r) sum += std::max<Big>(0, std::min(r - 1, x) - std::max(p, from) + 1);
    Big low = std::max(from, r), y = p;  // flashes before `low` end before it, or are the first stretch above
    if (y < low) y += (low - y + a - 1) / a * a;
    if (y > x) return sum;
    Big n = (x - y) / a + 1, c = ((r - y) % b + b) % b, step = ((-a) % b + b) % b;
    sum += step * (n * (n - 1) / 2) + n * c - b * below(n, b, step, c);
    Big last = y + (n - 1) * a, end = last + ((r - last) % b + b) % b;
    return sum - std::max<Big>(0, end - 1 - x);
}

int64_t euclid(int64_t a, int64_t b, int64_t& x, int64_t& y) {
    if (!b) return x = 1, y = 0, a;
    int64_t u, v, g = euclid(b, a % b, u, v);
    x = v;
    y = u - a / b * v;
    return g;
}

// Minutes up to x whose latest flashes coincide; a <= b.
Big equal(int64_t p, int64_t a, int64_t r, int64_t b, Big x) {
    int64_t u, v, g = euclid(a, b, u, v);
    if ((r - p) % g) return 0;
    int64_t m = b / g;
    Big k = ((Big)(r - p) / g % m * (u % m) % m + m) % m;  // p + k a is a flash of B, if late enough
    Big step = (Big)a * m, y = p + k * a;
    if (y < r) y += (r - y + step - 1) / step * step;
    if (y > x) return 0;
    Big n = (x - y) / step + 1, last = y + (n - 1) * step;
    return n * a - std::max<Big>(0, last + a - 1 - x);
}

Big count(int64_t p, int64_t a, int64_t r, int64_t b, Big x) {
    if (x < p) return 0;
    if (a > b) return slower(p, a, r, b, 0, x);
    return x - p + 1 - slower(r, b, p, a, p, x) - equal(p, a, r, b, x);
}

int main() {
    int q;
    std::cin >> q;
    while (q--) {
        int64_t p, a, r, b, s, t;
        std::cin >> p >> a >> r >> b >> s >> t;
        std::cout << (int64_t)(count(p, a, r, b, t) - count(p, a, r, b, (Big)s - 1)) << "\n";
    }
}
