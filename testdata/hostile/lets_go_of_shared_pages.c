#include "outcomes.h"

int main(void) {
    for (int i = 0; i < 10; i++) {
        char *block = mmap(NULL, 30 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        touch(block, 30 * MIB);
        madvise(block, 30 * MIB, MADV_DONTNEED);
    }
    dprintf(1, "done\n");
}
