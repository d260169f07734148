#include "outcomes.h"

int main(void) {
    static char block[1 << 20];
    memset(block, 'x', sizeof block);
    signal(SIGXFSZ, SIG_IGN);
    for (int file = 0; file < 4; file++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s/hostile-%d", temporary(), file);
        int fd = open(name, O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 32; i++) {
            if (write(fd, block, sizeof block) < 0) {
                print_outcome("write", -1);
                return 0;
            }
        }
    }
    dprintf(1, "done\n");
}
