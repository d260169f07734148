#include "outcomes.h"

#include <sys/file.h>

// A read lock may be set, which runtimes do to files of their own; but no program can detect it: asking for locks is refused,
// and write locks, which would meet a read lock, need a file that is open for writing.
int main(void) {
    int fd = open("/usr/bin/env", O_RDONLY);
    refused("flock", flock(fd, LOCK_SH));
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    refused("POSIX write lock", fcntl(fd, F_SETLK, &whole));
    refused("POSIX query", fcntl(fd, F_GETLK, &whole));
    refused("description write lock", fcntl(fd, F_OFD_SETLK, &whole));
    refused("description query", fcntl(fd, F_OFD_GETLK, &whole));
    refused("lease", fcntl(fd, F_SETLEASE, F_RDLCK));
}
