// Each number by itself: small primes by division, the rest by the Miller-Rabin test and Pollard's rho.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

using u64 = uint64_t;
using u128 = unsigned __int128;

static u64 times(u64 a, u64 b, u64 m) { return static_cast<u64>(static_cast<u128>(a) * b % m); }

static u64 power(u64 base, u64 exponent, u64 m) {
    u64 result = 1;
    for (; exponent; exponent >>= 1, base = times(base, base, m)) {
        if (exponent & 1) result = times(result, base, m);
    }
    return result;
}

static bool is_prime(u64 n) {  // odd n > 61; these bases are enough below 3 * 10^14
    u64 d = n - 1;
    int twos = 0;
    while (d % 2 == 0) d /= 2, ++twos;
    for (u64 base : {2, 3, 5, 7, 11, 13, 17}) {
        u64 x = power(base, d, n);
        if (x == 1 || x == n - 1) continue;
        bool composite = true;
        for (int i = 1; i < twos && composite; ++i) {
            x = times(x, x, n);
            composite = x != n - 1;
        }
        if (composite) return false;
    }
    return true;
}

static u64 a_factor(u64 n) {
    for (u64 c = 1;; ++c) {
        u64 slow = 2, fast = 2, divisor = 1;
        while (divisor == 1) {
            slow = (times(slow, slow, n) + c) % n;
            fast = (times(fast, fast, n) + c) % n;
            fast = (times(fast, fast, n) + c) % n;
            divisor = std::gcd(slow > fast ? slow - fast : fast - slow, n);
        }
        if (divisor != n) return divisor;
    }
}

static void split(u64 n, std::map<u64, int>& factors) {
    if (n == 1) return;
    if (is_prime(n)) {
        ++factors[n];
        return;
    }
    const u64 factor = a_factor(n);
    split(factor, factors);
    split(n / factor, factors);
}

int main() {
    u64 low, high;
    std::cin >> low >> high;
    std::map<std::vector<int>, std::pair<int, u64>> kinds;  // exponents -> how many, the smallest number
    for (u64 number = low; number <= high; ++number) {
        u64 rest = number;
        std::map<u64, int> factors;
        for (u64 p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61}) {
            for (; rest % p == 0; rest /= p) ++factors[p];
        }
        split(rest, factors);
        std::vector<int> exponents;
        for (const auto& factor : factors) exponents.push_back(factor.second);
        std::sort(exponents.begin(), exponents.end());
        ++kinds.try_emplace(exponents, 0, number).first->second.first;
    }
    int most = 0;
    u64 smallest = 0;
    for (const auto& kind : kinds) {
        const auto& [count, first] = kind.second;
        if (count > most || (count == most && first < smallest)) {
            most = count;
            smallest = first;
        }
    }
    std::cout << kinds.size() << " " << most << " " << smallest << "\n";
}
