#include </dev/stdin>
#include </dev/zero>
int main() {}
