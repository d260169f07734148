#include "outcomes.h"
#include <sys/prctl.h>

int main(void) {
    prctl(PR_SET_DUMPABLE, 0);
    for (int i = 0; i < 8; i++) {
        if (fork() == 0) {
            char *block = mmap(NULL, 40 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            touch(block, 40 * MIB);
            usleep(300000);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    dprintf(1, "done\n");
}
