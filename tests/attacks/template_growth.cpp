template <int a, int b> struct grow { static const int value = grow<a - 1, b>::value + grow<a, b - 1>::value; };
template <int b> struct grow<0, b> { static const int value = grow<512, b - 1>::value; };
int main() { return grow<512, 512>::value; }
