int depth(volatile int n) { char room[4096]; room[n % 4096] = (char)n; return depth(n + 1) + room[n % 4096]; }
int main() { return depth(0); }
