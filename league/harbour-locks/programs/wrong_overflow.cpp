// Counts in 64 bits all boats that could pass until minutes far after the last one: that may be too many.
#include <algorithm>
#include <iostream>
#include <vector>

struct Lock {
    long long s, t, k, r;
};

int main() {
    long long n, m;
    std::cin >> n >> m;
    std::vector<Lock> locks(n);
    for (auto& lock : locks) std::cin >> lock.s >> lock.t >> lock.k >> lock.r;
    long long low = 0, high = 2'000'000'000'000'000'000;
    while (low < high) {
        long long middle = (low + high) / 2, passed = 0;
        for (auto& lock : locks) {
            if (middle <= lock.s) continue;
            long long cycle = lock.k * lock.t + lock.r, full = (middle - lock.s) / cycle, rest = (middle - lock.s) % cycle;
            passed += full * lock.k + std::min(lock.k, rest / lock.t);
        }
        if (passed >= m) high = middle;
        else low = middle + 1;
    }
    std::cout << low << "\n";
}
