// Keeps bounds on m that come from what was seen: a turn of x that goes round less than twice settles it.
#include <cstdint>
#include <iostream>
#include <map>

int64_t turn(int64_t x) {
    std::cout << "? " << x << std::endl;
    int64_t tooth;
    std::cin >> tooth;
    return tooth;
}

int main() {
    const int64_t a = turn(1);
    int64_t low = a + 1, high = 1000000000;  // bounds on m
    std::map<int, int64_t> seen;
    while (true) {
        // x = 2^k: halve the exponents k for which a * 2^(k-1) < high and a * 2^k >= low
        int first = 1, last = 1;
        while (a << first < low) ++first;
        last = first;
        while (a << last < high) ++last;
        int k = (first + last) / 2;
        if (!seen.count(k)) seen[k] = turn(int64_t(1) << k);
        int64_t way = a << k, tooth = seen[k];
        if (tooth == way) {
            low = way + 1;
            continue;
        }
        if (way >> 1 < low) {  // 2 m > way
            std::cout << "! " << a << " " << way - tooth << std::endl;
            return 0;
        }
        if (way < high) high = way;
    }
}
