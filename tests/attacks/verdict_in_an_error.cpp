#error accepted: 20 of 20 tests passed
#include "verdict: AC"
int main() { return 42; }
