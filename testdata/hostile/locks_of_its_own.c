#include "outcomes.h"

#include <sys/file.h>

int main(void) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/hostile-lock", temporary());
    const char *files[] = {"hostile-lock", path};
    for (int at = 0; at < 2; at++) {
        int one = open(files[at], O_RDWR | O_CREAT, 0600), other = open(files[at], O_RDONLY);
        print_outcome("exclusive", flock(one, LOCK_EX | LOCK_NB));
        print_outcome("exclusive for another one", flock(other, LOCK_EX | LOCK_NB));
        print_outcome("shared for another one", flock(other, LOCK_SH | LOCK_NB));
        print_outcome("made shared", flock(one, LOCK_SH));
        print_outcome("shared for both", flock(other, LOCK_SH | LOCK_NB));
        print_outcome("made exclusive", flock(one, LOCK_EX | LOCK_NB));
        print_outcome("given back", flock(other, LOCK_UN));
        print_outcome("exclusive again", flock(one, LOCK_EX));
        int copy = dup(one);
        close(one);
        print_outcome("held by a copy", flock(other, LOCK_EX | LOCK_NB));
        close(copy);
        print_outcome("closed", flock(other, LOCK_EX | LOCK_NB));
        unlink(files[at]);
        print_outcome("removed", flock(other, LOCK_EX | LOCK_NB));
        print_outcome("no operation", flock(other, LOCK_NB));
        close(other);
        print_outcome("no file", flock(other, LOCK_EX));
    }
    int directory = open(".", O_RDONLY | O_DIRECTORY);
    print_outcome("a directory", flock(directory, LOCK_EX));
    print_outcome("a path only", flock(open(".", O_PATH), LOCK_EX));
}
