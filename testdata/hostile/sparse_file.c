#include "outcomes.h"

int main(void) {
    int fd = open("hostile-file", O_RDWR | O_CREAT, 0600);
    ftruncate(fd, 1L << 40);
    dprintf(1, "done\n");
}
