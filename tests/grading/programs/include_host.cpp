// Compiles only where host files can be seen.
#if __has_include("/etc/passwd") || __has_include("/root/.bashrc") || __has_include("/var/lib/dpkg/status")
#error "host files"
#endif
#include <cstdio>
int main() { puts("nothing"); }
