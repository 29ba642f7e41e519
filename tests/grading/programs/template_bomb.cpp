// Compiles for as long as it may.
template <int A, int B> struct Grow { static const long long value = Grow<A - 1, 2 * B>::value + Grow<A - 1, 2 * B + 1>::value; };
template <int B> struct Grow<0, B> { static const long long value = B; };
int main() { return Grow<26, 1>::value & 1; }
