#include <iostream>
#include <string>

// Every n minutes the ship is at p again, and one minute later at p + s. Both are sought at once, the answer known to
// lie in a stretch of the ring that the bits chosen so far leave; stretches have a length that is a power of two.
int main() {
    long long n;
    std::cin >> n;
    long long lows[2] = {0, 0}, size = 1;
    while (size < n) size *= 2;
    for (long long turn = 0; size > 1; turn++) {
        size /= 2;
        for (int later = 0; later < 2; later++) {
            long long from = lows[later] + size, to = std::min(n - 1, from + size - 1);
            if (from > n - 1) continue;
            std::cout << "? " << turn * n + later << " " << from << " " << to << std::endl;
            std::string seen;
            std::cin >> seen;
            if (seen == "yes") lows[later] = from;
        }
    }
    std::cout << "! " << lows[0] << " " << (lows[1] - lows[0] + n) % n << std::endl;
}
