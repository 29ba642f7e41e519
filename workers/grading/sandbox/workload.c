/* A fixed piece of work, whose CPU time says how fast this machine is just now: `workload cached` stays in the
 * first caches, `workload scattered` reads all over 64 MiB. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60000000, PLACES = 1 << 23, READS = 300000 };

static uint64_t next(uint64_t state) {
    return state * 6364136223846793005ULL + 1442695040888963407ULL;
}

static uint64_t cached(void) {
    uint64_t state = 1, sum = 0;
    for (int i = 0; i < STEPS; i++) {
        state = next(state);
        sum += state >> (state & 31);
    }
    return sum;
}

static uint64_t scattered(void) {
    uint64_t *places = malloc(PLACES * sizeof *places), state = 1;
    if (!places) exit(1);
    for (uint64_t i = 0; i < PLACES; i++) places[i] = i;
    for (int i = 0; i < READS; i++) state = next(state ^ places[state >> 41]);
    return state;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    volatile uint64_t result = strcmp(argv[1], "cached") ? scattered() : cached();
    (void)result;
    return 0;
}
