// A small machine: whether the record rose into the present run, and how long that run is.
#include <cstdio>

int main() {
    int n, before = -1001, run = 0, crests = 0, longest = 0;
    bool rose = false;
    std::scanf("%d", &n);
    for (int at = 0; at <= n; ++at) {
        int height = -1001;
        if (at < n) std::scanf("%d", &height);
        if (height == before) {
            ++run;
            continue;
        }
        if (height < before && rose) {
            ++crests;
            if (run > longest) longest = run;
        }
        rose = height > before;
        before = height;
        run = 1;
    }
    std::printf("%d %d\n", crests, longest);
}
