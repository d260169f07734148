#include "outcomes.h"

int main(void) {
    char *space = mmap(NULL, 64L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) {
        return 3;
    }
    madvise(space, 64L << 30, MADV_NOHUGEPAGE);
    for (long i = 0; i < 12000; i++) {
        space[i * 2 * MIB] = 1;
    }
    dprintf(1, "done\n");
}
