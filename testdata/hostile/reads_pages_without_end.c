#include "outcomes.h"

#define APART (2 * MIB)

int main(void) {
    volatile char *memory = mmap(NULL, 1L << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    /* This number of pages makes half a gigabyte of page tables. */
    for (long at = 0; memory != MAP_FAILED && at < 131072; at++) {
        memory[at * APART];
    }
    idle();
}
