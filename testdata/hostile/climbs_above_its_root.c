#include "outcomes.h"

static struct stat root;

static void same(const char *what, int fd) {
    struct stat found;
    if (fd < 0 || fstat(fd, &found) != 0) {
        dprintf(1, "%s: refused\n", what);
    } else {
        dprintf(1, "%s: %s\n", what, found.st_ino == root.st_ino && found.st_dev == root.st_dev ? "its root" : "ANOTHER ONE");
    }
}

int main(void) {
    stat("/", &root);
    int top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    same("/..", open("/../../..", O_PATH));
    same("by a descriptor", openat(top, "../../..", O_PATH));
    char up[400] = "";
    for (int at = 0; at < 64; at++) {
        strcat(up, "../");
    }
    same("from its directory", open(up, O_PATH));
    same("/proc/self/root", open("/proc/self/root/..", O_PATH));
    same("the root of a thread", open("/proc/thread-self/root/../..", O_PATH));
    chdir("/usr/bin");
    same("from a mount", open(up, O_PATH));
    char told_of[PATH_MAX];
    dprintf(1, "%s\n", getcwd(told_of, sizeof told_of) ? told_of : "nowhere");
}
