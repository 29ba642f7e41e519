// Compiles to something that asks for a loader that is not there.
#pragma GCC diagnostic ignored "-Wunused"
asm(".pushsection .interp,\"a\"\n.asciz \"/nowhere/ld.so\"\n.popsection");
int main() {}
