#include "outcomes.h"

int main(void) {
    static char block[1 << 20];
    int files = 0, full = 0;
    for (; files < 40 && !full; files++) {
        int fd = files % 2 ? open(".", O_TMPFILE | O_RDWR, 0600) : -1;
        /* Some file systems of hosts have no files without a name. */
        fd = fd < 0 ? open("hostile-file", O_RDWR | O_CREAT, 0600) : fd;
        unlink("hostile-file");
        full = fd < 0 || write(fd, block, sizeof block) != sizeof block;
    }
    dprintf(1, "%s\n", full ? "full" : "NEVER FULL");
}
