#include "outcomes.h"

int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("hostile-file", O_RDWR | O_CREAT, 0600);
    print_outcome("ftruncate", ftruncate(fd, 1L << 40));
    print_outcome("fallocate", fallocate(fd, 0, 0, 1L << 40));
    print_outcome("pwrite", pwrite(fd, "x", 1, 1L << 40));
}
