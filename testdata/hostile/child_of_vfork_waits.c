#include "outcomes.h"

int main(void) {
    char *block = malloc(40 * MIB);
    touch(block, 40 * MIB);
    if (vfork() == 0) {
        usleep(300000);
        _exit(0);
    }
    dprintf(1, "done\n");
}
