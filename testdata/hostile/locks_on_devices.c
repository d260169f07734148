#include "outcomes.h"

#include <sys/file.h>

int main(void) {
    const char *devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (int at = 0; at < 5; at++) {
        int fd = open(devices[at], O_RDWR);
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        dprintf(1, "%s: %s\n", devices[at], fd < 0 ? "cannot be opened" : "opened");
        print_outcome("  flock", flock(fd, LOCK_EX | LOCK_NB));
        print_outcome("  shared flock", flock(fd, LOCK_SH));
        print_outcome("  POSIX", fcntl(fd, F_SETLK, &whole));
        print_outcome("  POSIX query", fcntl(fd, F_GETLK, &whole));
        whole.l_pid = 0;
        print_outcome("  description", fcntl(fd, F_OFD_SETLK, &whole));
        print_outcome("  description query", fcntl(fd, F_OFD_GETLK, &whole));
    }
}
