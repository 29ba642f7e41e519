held = True
for path, word in (
    ("/proc/sys/kernel/core_pattern", "|/tmp/x"), ("/proc/sys/kernel/hostname", "x"), ("/proc/sysrq-trigger", "h"),
    ("/proc/1/oom_score_adj", "1000"), ("/proc/self/oom_score_adj", "-1000"), ("/proc/self/uid_map", "0 0 1"),
    ("/sys/fs/cgroup/cgroup.procs", "1"), ("/proc/sys/vm/drop_caches", "3"), ("/dev/kmsg", "x"), ("/dev/mem", "x"),
):
    try:
        with open(path, "w") as file:
            file.write(word)
        held = False
    except OSError:
        pass
a, b = map(int, input().split())
print(a + b if held else "written")
