// Right answer, and a detached grandchild that would write more and live on.
#include <cstdio>
#include <unistd.h>

int main() {
    puts("done");
    fflush(stdout);
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (;;) {
                if (write(1, "x", 1) < 0) _exit(0);
                usleep(1000);
            }
        }
        _exit(0);
    }
}
