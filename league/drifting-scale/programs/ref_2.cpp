#include <iostream>

long long drift = 0;
int asked = 0;

long long weigh(int l, int r) {
    std::cout << "? " << l << " " << r << std::endl;
    long long shown;
    std::cin >> shown;
    return shown - drift * asked++;
}

// Builds the number of the last barrel of the longest row from barrel 1 on that holds ordinary ones only, bit by bit.
int main() {
    int n;
    std::cin >> n;
    long long last = weigh(n, n);
    drift = weigh(n, n) - last;
    long long before = weigh(n - 1, n - 1);
    if (last != before) {
        std::cout << "! " << (last > before ? n : n - 1) << std::endl;
        return 0;
    }
    int ordinary = 0, rest = n - 3;
    for (int step = 512; step; step /= 2)
        if (step <= rest - ordinary && weigh(1, ordinary + step) == last * (ordinary + step)) ordinary += step;
    std::cout << "! " << ordinary + 1 << std::endl;
}
