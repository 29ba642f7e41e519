#include <iostream>

long long ping(long long x, long long y) {
    std::cout << "? " << x << " " << y << std::endl;
    long long away;
    std::cin >> away;
    return away;
}

// The same with the bottom side and the column in the middle of the wreck, from three corners and one square between.
int main() {
    long long n;
    std::cin >> n;
    long long right = ping(n, n), up = ping(1, 1), left = ping(1, n);
    // left - right is how much farther the wreck is from the left edge than from the right one.
    long long column = n - (n - 1 - (left - right)) / 2;
    long long under = ping(column, n);
    long long x1 = 1 + left - under, x2 = n - (right - under);
    std::cout << "! " << x1 << " " << 1 + up - (x1 - 1) << " " << x2 << " " << n - under << std::endl;
}
