#include <stdio.h>

__asm__(".section .rodata\nsecret: .incbin \"@SECRET@\"\n.byte 0\n.previous");
extern const char secret[];

int main(void) { puts(secret); }
