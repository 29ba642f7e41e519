#include <iostream>
#include <map>

// The golden section: each step needs one new sounding.
int main() {
    int n;
    std::cin >> n;
    std::map<int, long long> known;
    auto depth = [&](int mark) -> long long {
        if (mark < 1 || mark > n) return -std::abs(mark - n / 2);
        auto it = known.find(mark);
        if (it != known.end()) return it->second;
        std::cout << "? " << mark << std::endl;
        long long read;
        std::cin >> read;
        return known[mark] = read;
    };
    // The answer lies strictly between low and low + b; b is a Fibonacci number, and a the one before it.
    int low = 0, a = 1, b = 2;
    while (b <= n) {
        int next = a + b;
        a = b;
        b = next;
    }
    while (b > 2) {
        int left = low + b - a, right = low + a;
        if (depth(left) < depth(right)) low = left;
        int smaller = b - a;
        b = a;
        a = smaller;
    }
    std::cout << "! " << low + 1 << std::endl;
}
