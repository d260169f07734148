#include "outcomes.h"

__attribute__((noinline)) static int deeper(volatile int level) {
    volatile char here[1024];
    here[0] = (char)level;
    return level > 200000 ? 0 : deeper(level + 1) + here[0];
}

int main(void) { return deeper(0) == 12345; }
