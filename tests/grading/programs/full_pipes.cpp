// Holds little itself, and much in pipes that nobody reads, some of which have names; nobody may look at its descriptors.
#include <cstdio>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

int main() {
    static char text[1 << 16];
    int number = 0;
    for (int k = 0; k < 15; k++)
        if (!fork()) {
            number = k + 1;
            break;
        }
    if (number % 2) prctl(PR_SET_DUMPABLE, 0);
    for (int k = 0, ends[2];; k++) {
        char name[32];
        snprintf(name, sizeof name, "%d-%d", number, k);
        if (k % 2) {
            if (mkfifo(name, 0600) || (ends[0] = open(name, O_RDONLY | O_NONBLOCK)) < 0) break;
            if ((ends[1] = open(name, O_WRONLY | O_NONBLOCK)) < 0) break;
        } else if (pipe2(ends, O_NONBLOCK)) {
            break;
        }
        if (write(ends[1], text, sizeof text) < 0) {}
        close(ends[1]);
    }
    sleep(1);
    puts("held");
}
