// Takes a smaller number for a call of an earlier ticket.
#include <iostream>

// Follows the roll ticket by ticket.
int main() {
    int r, n, served = 0, missing = 0, dropped = 0, now, times = 1;
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
        if (call > now) dropped += call - now - 1;
        now = call;
    }
    std::cout << served << " " << missing << " " << dropped << "\n";
}
