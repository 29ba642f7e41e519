// Adds the squares up in 32 bits.
#include <iostream>
#include <vector>

std::vector<int> side;

// Whether crates 1 to n have some with these sums; the largest are tried first.
bool fits(int n, int sum, int squares) {
    if (sum == 0 && squares == 0) return true;
    if (n == 0 || sum < 0 || squares < 0) return false;
    if (sum > n * (n + 1) / 2 || squares > n * (n + 1) * (2 * n + 1) / 6) return false;
    side.push_back(n);
    if (fits(n - 1, sum - n, squares - n * n)) return true;
    side.pop_back();
    return fits(n - 1, sum, squares);
}

int main() {
    int n;
    std::cin >> n;
    int sum = n * (n + 1) / 2, squares = n * (n + 1) * (2 * n + 1) / 6;
    if (sum % 2 || squares % 2) {
        std::cout << "none\n";
        return 0;
    }
    // Take eights off the top while at least 7 crates are left, and search the rest.
    int rest = n;
    std::vector<int> eights;
    while (rest >= 15) {
        for (int away : {0, 3, 5, 6}) eights.push_back(rest - away);
        rest -= 8;
    }
    if (!fits(rest, rest * (rest + 1) / 4, rest * (rest + 1) * (2 * rest + 1) / 12)) {
        std::cout << "none\n";
        return 0;
    }
    side.insert(side.end(), eights.begin(), eights.end());
    std::cout << side.size() << "\n";
    for (size_t i = 0; i < side.size(); i++) std::cout << side[i] << (i + 1 < side.size() ? ' ' : '\n');
}
