#include "outcomes.h"

int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("hostile-file", O_RDWR | O_CREAT, 0600);
    refused("more than there is", fallocate(fd, 1 /* KEEP_SIZE */, 0, 100 * MIB));
    struct stat found;
    fstat(fd, &found);
    dprintf(1, "%s\n", found.st_blocks < 65 * 2048 ? "no more than there is" : "MORE THAN THERE IS");
    for (int round = 0; round < 20; round++) {
        static char block[1 << 20];
        for (int i = 0; i < 8; i++) {
            if (pwrite(fd, block, sizeof block, i * MIB) != sizeof block) {
                print_outcome("writing", -1);
            }
        }
        if (fallocate(fd, 3 /* KEEP_SIZE | PUNCH_HOLE */, 0, 8 * MIB) < 0) {
            print_outcome("punching", -1);
        }
    }
    fstat(fd, &found);
    dprintf(1, "%s\n", found.st_size == 8 * MIB && lseek(fd, 0, SEEK_DATA) < 0 ? "a hole" : "NO HOLE");
}
