#include "told.h"

int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("hostile-file", O_RDWR | O_CREAT, 0600);
    told("ftruncate", ftruncate(fd, 1L << 40));
    told("fallocate", fallocate(fd, 0, 0, 1L << 40));
    told("pwrite", pwrite(fd, "x", 1, 1L << 40));
}
