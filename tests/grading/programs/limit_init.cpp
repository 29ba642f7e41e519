// Takes init's descriptors and CPU time away, so that it could no longer look at anything.
#include <bits/stdc++.h>
#include <sys/resource.h>

int main() {
    bool refused = true;
    for (int kind : {RLIMIT_NOFILE, RLIMIT_CPU, RLIMIT_AS, RLIMIT_FSIZE}) {
        rlimit none{0, 0};
        refused &= prlimit(1, (__rlimit_resource)kind, &none, nullptr) < 0;
    }
    refused &= setpriority(PRIO_PROCESS, 1, 19) < 0 && setpriority(PRIO_USER, 0, 19) < 0;
    std::cout << (refused ? "refused" : "taken") << std::endl;
}
