# Accepted exactly when no setting of the machine opens for writing, under whatever path.
import os

paths = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/kernel/mm/ksm/run"]
paths += ["/dev/kmsg", "/dev/mem", "/dev/sda", "/dev/vda"]
opened = []
for path in paths:
    try:
        os.close(os.open(path, os.O_WRONLY))
        opened.append(path)
    except OSError:
        pass
print(opened or "closed")
