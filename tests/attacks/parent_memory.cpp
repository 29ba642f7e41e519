#include <bits/stdc++.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
int main() {
    std::string hit = "none";
    for (int pid = 1; pid < 400; pid++) {
        if (pid == getpid()) continue;
        int fd = open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY);
        std::vector<char> page(1 << 16);
        for (unsigned long at = 0x400000; fd >= 0 && at < 0x500000; at += page.size())
            if (pread(fd, page.data(), page.size(), at) > 0) hit = "read";
        iovec mine{page.data(), page.size()}, other{(void *)0x400000, page.size()};
        if (process_vm_readv(pid, &mine, 1, &other, 1, 0) > 0) hit = "read";
    }
    std::cout << hit << std::endl;
}
