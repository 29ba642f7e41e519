// Counts the dropped tickets in 32 bits.
#include <iostream>

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
        dropped += (call - now + r) % r - 1;
        now = call;
    }
    std::cout << served << " " << missing << " " << dropped << "\n";
}
