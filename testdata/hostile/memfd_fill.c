#include "outcomes.h"

int main(void) {
    static char block[1 << 20];
    memset(block, 'x', sizeof block);
    signal(SIGXFSZ, SIG_IGN);
    int fd = memfd_create("hostile", 0);
    for (long taken = 0; taken < MOST_MEMORY; taken += MIB) {
        if (write(fd, block, sizeof block) < 0) {
            /* The maximum size of a file: continue with another one. */
            fd = memfd_create("hostile", 0);
        }
    }
    dprintf(1, "done\n");
}
