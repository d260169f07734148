#include "outcomes.h"

int main(void) {
    char *block = mmap(NULL, 120 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (block != MAP_FAILED) {
        munmap(block, 120 * MIB);
    }
    dprintf(1, "done\n");
}
