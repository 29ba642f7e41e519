import os
import stat

held = True
for make in (lambda: os.mknod("/tmp/mem", 0o666 | stat.S_IFCHR, os.makedev(1, 1)), lambda: os.mknod("/tmp/disk", 0o666 | stat.S_IFBLK, os.makedev(8, 0)), lambda: os.link("/proc/self/exe", "/tmp/linked")):
    try:
        make()
        held = False
    except OSError:
        pass
for number, target in enumerate(("/etc/shadow", "/proc/1/root", "/proc/1/cwd", "/judge/main", "/dev/stdout")):
    os.symlink(target, f"/tmp/link{number}")
os.mkfifo("/tmp/fifo")
try:
    held &= not os.listdir("/proc/1/root/")
except OSError:
    pass
a, b = map(int, input().split())
print(a + b if held else "made")
