#include "outcomes.h"

#include <sys/file.h>

static void lock(const char *what, const char *path) {
    int fd = open(path, O_RDONLY);
    struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    dprintf(1, "%s\n", what);
    print_outcome("  flock", flock(fd, LOCK_SH | LOCK_NB));
    print_outcome("  POSIX", fcntl(fd, F_SETLK, &whole));
    close(fd);
}

int main(void) {
    lock("a tool", "/usr/bin/env");
    lock("its own program", program());
    lock("the directory of its program", beside(""));
    lock("a system directory", "/usr/bin");
}
