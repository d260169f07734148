#include "outcomes.h"

int main(void) {
    /* As for an invalid descriptor: the kernel is not called, and no disk waits. */
    print_outcome("syncfs of nothing", syscall(SYS_syncfs, -1));
    print_outcome("fsync of nothing", syscall(SYS_fsync, -1));
    print_outcome("fdatasync of nothing", syscall(SYS_fdatasync, -1));
    print_outcome("sync_file_range of nothing", syscall(SYS_sync_file_range, -1, 0L, 0L, 7));
    int tool = open("/usr/bin/env", O_RDONLY), own = open("hostile-own", O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 1000; i++) {
        sync();
        syncfs(tool);
        fsync(tool);
    }
    print_outcome("its own file", write(own, "text", 4) == 4 ? fsync(own) : -1);
}
