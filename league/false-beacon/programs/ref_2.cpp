// Keeps every pair of a mark and a habit in mind, and asks about the first mark until the habit is clear.
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> low(11, 1), high(11, n);  // per k the marks that are still possible
    for (int asked = 1;; ++asked) {
        int habits = 0, left = 0;
        for (int k = 2; k <= 10; ++k)
            if (low[k] <= high[k]) ++habits, left = k;
        bool same = true;
        for (int k = 2; k <= 10; ++k)
            if (low[k] <= high[k]) same = same && low[k] == high[k] && low[k] == low[left];
        if (same || n == 1) {
            std::cout << "! " << low[left] << std::endl;
            return 0;
        }
        int mark = habits > 1 ? (n + 2) / 2 : (low[left] + high[left] + 1) / 2;
        std::cout << "? " << mark << std::endl;
        int reply;
        std::cin >> reply;
        for (int k = 2; k <= 10; ++k) {
            bool beyond = (reply == 1) != (asked % k == 0);
            if (beyond && low[k] < mark) low[k] = mark;
            if (!beyond && high[k] >= mark) high[k] = mark - 1;
        }
    }
}
