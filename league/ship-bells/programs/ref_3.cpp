// For each of the eight bells of a watch: how often it is struck, counted from its first time after coming on board.
#include <cstdio>

int main() {
    long long hour, minute, stay, total = 0;
    std::scanf("%lld:%lld %lld", &hour, &minute, &stay);
    long long begin = (hour * 60 + minute) % 240, end = begin + stay;
    for (long long bell = 1; bell <= 8; ++bell) {
        long long first = 30 * bell;
        if (first <= begin) first += 240;
        if (first <= end) total += ((end - first) / 240 + 1) * bell;
    }
    std::printf("%lld\n", total);
}
