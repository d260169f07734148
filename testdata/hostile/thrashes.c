#include "outcomes.h"

int main(void) {
    char *space = mmap(NULL, 256 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    unsigned at = 1;
    for (int i = 0; space != MAP_FAILED && i < 3000000; i++) {
        at = at * 1664525 + 1013904223;
        space[at % (256 * MIB)] = 1;
    }
    return 3;
}
