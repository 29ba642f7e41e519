#include <bits/stdc++.h>
#include <sys/syscall.h>
#include <unistd.h>
int main() {
    long long a, b;
    std::cin >> a >> b;
    bool held = true;
    for (long call : {SYS_unshare, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_bpf, SYS_userfaultfd,
                      SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_io_uring_setup, SYS_open_by_handle_at, SYS_kexec_load,
                      SYS_init_module, SYS_reboot, SYS_swapon, SYS_acct, SYS_personality, SYS_fanotify_init, SYS_pidfd_getfd})
        held &= syscall(call, 0x10000000L, 0L, 0L, 0L, 0L, 0L) < 0;
    if (held) std::cout << a + b << std::endl;
    else std::cout << "allowed" << std::endl;
}
