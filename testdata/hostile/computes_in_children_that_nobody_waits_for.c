#include "told.h"
#include <signal.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

/* While a child of vfork(2) computes, its parent waits within the kernel. Whoever ignores the ends of its children does not
   get their CPU time. */
int main(void) {
    signal(SIGCHLD, SIG_IGN);
    for (double end = now() + 12; now() < end;) {
        if (vfork() == 0) {
            for (double end = now() + 0.4; now() < end;) {
            }
            _exit(0);
        }
    }
    dprintf(1, "done\n");
}
