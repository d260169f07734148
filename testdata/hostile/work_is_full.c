#include "outcomes.h"

int main(void) {
    static char block[1 << 20];
    memset(block, 'x', sizeof block);
    for (int file = 0; file < 3; file++) {
        char name[32];
        snprintf(name, sizeof name, "hostile-%d", file);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 8; i++) {
            if (write(fd, block, sizeof block) != sizeof block) {
                dprintf(1, "full in file %d\n", file);
                return 0;
            }
        }
    }
}
