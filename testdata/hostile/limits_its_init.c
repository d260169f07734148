#include "outcomes.h"

int main(void) {
    struct rlimit none = {0, 0};
    int limits[] = {RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_NPROC, RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_SIGPENDING};
    for (int i = 0; i < 8; i++) {
        refused("prlimit", prlimit(1, limits[i], &none, NULL));
    }
    /* Gives init work, so that its CPU time is checked. */
    double end = seconds(CLOCK_MONOTONIC) + 0.3;
    while (seconds(CLOCK_MONOTONIC) < end) {
        if (fork() == 0) {
            fork();
            _exit(0);
        }
        wait(NULL);
    }
}
