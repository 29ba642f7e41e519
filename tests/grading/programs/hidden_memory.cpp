// Shared memory that no process has mapped any more, yet is there: no count of a process shows it.
#include <bits/stdc++.h>
#include <fcntl.h>
#include <sys/mman.h>

int main() {
    const size_t size = 4u << 20;
    bool refused = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
    int zero = open("/dev/zero", O_RDWR);
    refused &= zero < 0 || mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0) == MAP_FAILED;
    std::cout << (refused ? "refused" : "shared") << std::endl;
}
