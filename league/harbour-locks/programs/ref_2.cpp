// The passing times of each lock are a growing sequence given by a formula; the answer is the m-th smallest of all
// of them. Each round drops at least a quarter of what is left, by the weighted median of the middles.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

struct Lock {
    int64_t s, t, k, r, low, high;  // candidates are the boats low <= j < high of this lock
    int64_t time(int64_t j) const { return s + (j + 1) * t + j / k * r; }
    int64_t before(int64_t limit) const {  // how many candidates pass earlier than `limit`
        int64_t a = low, b = high;
        while (a < b) {
            int64_t middle = a + (b - a) / 2;
            if (time(middle) < limit) a = middle + 1; else b = middle;
        }
        return a;
    }
};

int main() {
    int64_t n, m;
    std::cin >> n >> m;
    std::vector<Lock> locks(n);
    for (Lock& lock : locks) {
        std::cin >> lock.s >> lock.t >> lock.k >> lock.r;
        lock.low = 0;
        lock.high = m;
    }
    int64_t rank = m;  // the answer is the rank-th smallest candidate
    while (true) {
        std::vector<std::pair<int64_t, int64_t>> middles;
        int64_t left = 0;
        for (const Lock& lock : locks) {
            if (lock.low < lock.high) {
                middles.emplace_back(lock.time((lock.low + lock.high) / 2), lock.high - lock.low);
                left += lock.high - lock.low;
            }
        }
        std::sort(middles.begin(), middles.end());
        int64_t seen = 0, pivot = 0;
        for (const auto& [time, weight] : middles) {
            seen += weight;
            pivot = time;
            if (2 * seen >= left) break;
        }
        int64_t less = 0, upto = 0;
        for (const Lock& lock : locks) {
            less += lock.before(pivot) - lock.low;
            upto += lock.before(pivot + 1) - lock.low;
        }
        if (less < rank && rank <= upto) {
            std::cout << pivot << "\n";
            return 0;
        }
        for (Lock& lock : locks) {
            if (rank <= less) lock.high = lock.before(pivot); else lock.low = lock.before(pivot + 1);
        }
        if (rank > upto) rank -= upto;
    }
}
