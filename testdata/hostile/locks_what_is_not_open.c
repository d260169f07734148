#include "outcomes.h"

#include <sys/file.h>

/* The calls of a program that ignores the result of open, and of one that tries to make the helper fail. */
int main(void) {
    const int numbers[] = {-1, -2, -100, -101, INT32_MIN, 77, INT32_MAX};
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    for (unsigned at = 0; at < sizeof numbers / sizeof *numbers; at++) {
        print_outcome("flock", flock(numbers[at], LOCK_EX));
        print_outcome("set", fcntl(numbers[at], F_SETLK, &all));
        print_outcome("query", fcntl(numbers[at], F_GETLK, &all));
    }
    print_outcome("wide", syscall(SYS_flock, -1L, (long)LOCK_EX));
    print_outcome("narrow", syscall(SYS_flock, 0xffffffffL, (long)LOCK_UN));
}
