#define A(x) x x x x x x x x
#define B(x) A(A(A(A(A(x)))))
int main() { B(nothing_of_this_name + ;) }
