#include "outcomes.h"

int main(void) {
    volatile int *ready = shared_counter();
    for (int i = 0; i < 6; i++) {
        if (fork() == 0) {
            char *block = mmap(NULL, 30 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            touch(block, 30 * MIB);
            __sync_add_and_fetch(ready, 1);
            for (int waited = 0; waited < 300 && *ready < 6; waited++) {
                usleep(1000);
            }
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    dprintf(1, "done\n");
}
