#include "outcomes.h"

int main(void) {
    int made = 0;
    for (; made < 2000000; made++) {
        char name[32];
        snprintf(name, sizeof name, "hostile-%d", made);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (fd < 0) {
            break;
        }
        close(fd);
    }
    dprintf(1, "files: %d\n", made);
}
