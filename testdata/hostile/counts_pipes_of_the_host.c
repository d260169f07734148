#include "outcomes.h"

static unsigned long number(int fd) {
    struct stat found;
    fstat(fd, &found);
    return found.st_ino;
}

/* A run makes fewer than 16 objects: larger numbers are those of a counter that others have used before, even on
   a host that started a moment ago. */
int main(void) {
    int ends[2];
    pipe(ends);
    dprintf(1, "a pipe: %s\n", number(ends[0]) > 16 ? "COUNTED WITH OTHERS" : "its own number");
    dprintf(1, "a file in memory: %s\n", number(memfd_create("hostile", 0)) > 16 ? "COUNTED WITH OTHERS" : "its own number");
}
