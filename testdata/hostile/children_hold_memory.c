#include "outcomes.h"

int main(void) {
    for (int i = 0; i < 8; i++) {
        if (fork() == 0) {
            char *block = malloc(40 * MIB);
            touch(block, 40 * MIB);
            usleep(300000);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    dprintf(1, "done\n");
}
