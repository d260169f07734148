#include "outcomes.h"

int main(void) {
    char *block = mmap(NULL, 40 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    touch(block, 40 * MIB);
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            touch(block, 40 * MIB);
            usleep(300000);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    dprintf(1, "done\n");
}
