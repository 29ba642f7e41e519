#include <cstring>
#include <sys/mman.h>
int main() {
    for (int i = 0; i < 64; i++) {
        void *p = mmap(nullptr, 32 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) __builtin_trap();
        memset(p, 1, 32 << 20);
    }
}
