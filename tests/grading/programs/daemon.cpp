// Right answer, and a detached grandchild that lives on and would spoil it later: it waits first, for what it
// wrote while its elder still ran would rightly count as output.
#include <cstdio>
#include <unistd.h>

int main() {
    puts("done");
    fflush(stdout);
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            sleep(2);
            for (;;) {
                if (write(1, "x", 1) < 0) _exit(0);
                usleep(1000);
            }
        }
        _exit(0);
    }
}
