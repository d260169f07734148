#include "told.h"

#include <sys/file.h>

int main(void) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/hostile-lock", temporary());
    const char *files[] = {"hostile-lock", path};
    for (int at = 0; at < 2; at++) {
        int one = open(files[at], O_RDWR | O_CREAT, 0600), other = open(files[at], O_RDONLY);
        told("exclusive", flock(one, LOCK_EX | LOCK_NB));
        told("exclusive for another one", flock(other, LOCK_EX | LOCK_NB));
        told("shared for another one", flock(other, LOCK_SH | LOCK_NB));
        told("made shared", flock(one, LOCK_SH));
        told("shared for both", flock(other, LOCK_SH | LOCK_NB));
        told("made exclusive", flock(one, LOCK_EX | LOCK_NB));
        told("given back", flock(other, LOCK_UN));
        told("exclusive again", flock(one, LOCK_EX));
        int copy = dup(one);
        close(one);
        told("held by a copy", flock(other, LOCK_EX | LOCK_NB));
        close(copy);
        told("closed", flock(other, LOCK_EX | LOCK_NB));
        unlink(files[at]);
        told("removed", flock(other, LOCK_EX | LOCK_NB));
        told("no operation", flock(other, LOCK_NB));
        close(other);
        told("no file", flock(other, LOCK_EX));
    }
    int directory = open(".", O_RDONLY | O_DIRECTORY);
    told("a directory", flock(directory, LOCK_EX));
    told("a path only", flock(open(".", O_PATH), LOCK_EX));
}
