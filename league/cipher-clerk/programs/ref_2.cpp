#include <iostream>
#include <numeric>
#include <string>

long long cipher(long long x) {
    std::cout << "? " << x << std::endl;
    long long got;
    std::cin >> got;
    return got;
}

// All ciphers differ from the line through the first two by multiples of m; 20 of these leave no other common divisor.
int main() {
    std::string ready;
    std::cin >> ready;
    long long b = cipher(0), step = cipher(1) - b, m = 0, x = 1000000;
    for (int i = 0; i < 20; i++) {
        m = std::gcd(m, b + step * x - cipher(x));
        x = x > 500000 ? x - 12347 * (i + 1) : x - 3571;
        if (x < 2) x = 999983 - i;
    }
    std::cout << "! " << (step % m + m) % m << " " << b << " " << m << std::endl;
}
