// Right, but follows the roll ticket by ticket.
#include <iostream>

int main() {
    int r, n, served = 0, missing = 0, now, times = 1;
    long long dropped = 0;
    std::cin >> r >> n >> now;
    for (int i = 1; i <= n; i++) {
        int call = -1;
        if (i < n) std::cin >> call;
        if (call == now) {
            times++;
            continue;
        }
        if (times == 3) missing++;
        else served++;
        times = 1;
        if (i == n) break;
        for (now = (now + 1) % r; now != call; now = (now + 1) % r) dropped++;
    }
    std::cout << served << " " << missing << " " << dropped << "\n";
}
