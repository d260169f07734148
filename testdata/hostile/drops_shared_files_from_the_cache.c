#include "outcomes.h"

int main(void) {
    /* As for an invalid descriptor: the kernel is not called, and no page is loaded or evicted. */
    print_outcome("fadvise of nothing", syscall(SYS_fadvise64, -1, 0L, 0L, POSIX_FADV_DONTNEED));
    print_outcome("readahead of nothing", syscall(SYS_readahead, -1, 0L, 4096L));
    int fd = open(beside("large"), O_RDONLY);
    static char block[1 << 16];
    while (read(fd, block, sizeof block) > 0) {
    }
    print_outcome("fadvise", posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
    print_outcome("readahead", readahead(fd, 0, MIB));
}
