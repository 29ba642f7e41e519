// Asks for two groups of numbers: at least one group has no wrong reply, and its distances from the line tell m.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <string>

long long cipher(long long x) {
    std::cout << "? " << x << std::endl;
    long long got;
    std::cin >> got;
    return got;
}

long long most_often(long long x) {
    long long one = cipher(x), two = cipher(x);
    return one == two ? one : cipher(x);
}

int main() {
    std::string ready;
    std::cin >> ready;
    long long b = most_often(0), step = most_often(1) - b, far = b + step * 1000000 - most_often(1000000);
    long long divisors[2] = {far, far}, greatest = 0, x = 987653;
    for (int i = 0; i < 16; i++) {
        long long got = cipher(x);
        greatest = std::max(greatest, got);
        divisors[i % 2] = std::gcd(divisors[i % 2], b + step * x - got);
        x = x > 500000 ? x - 12347 * (i + 1) : x + 341571;
    }
    // Where both groups are right, they agree, or one has a further factor; where one is wrong, it has too few.
    long long m = std::gcd(divisors[0], divisors[1]);
    if (m <= greatest) m = std::max(divisors[0], divisors[1]);
    std::cout << "! " << (step % m + m) % m << " " << b << " " << m << std::endl;
}
