// Keeps the worst moment as a fraction and compares by cross products; divides only once.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

int main() {
    int n;
    int64_t total, moment = 0, over = 0, under = 1;
    std::scanf("%d %ld", &n, &total);
    while (n--) {
        int64_t weight, place;
        std::scanf("%ld %ld", &weight, &place);
        total += weight;
        moment += weight * place;
        if (std::llabs(moment) * under > over * total) over = std::llabs(moment), under = total;
    }
    std::printf("%.12f\n", (double)over / under);
}
