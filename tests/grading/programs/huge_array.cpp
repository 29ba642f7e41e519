// A compiled file of gigabytes.
int table[1 << 29] = {1};
int main() { return table[0] - 1; }
