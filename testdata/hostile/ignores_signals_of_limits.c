#include "outcomes.h"

int main(void) {
    for (int number = 1; number < 65; number++) {
        signal(number, SIG_IGN);
    }
    /* Its own alarms, of all three clocks, have no effect either. */
    struct itimerval often = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &often, NULL);
    setitimer(ITIMER_VIRTUAL, &often, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){1, 100});
    int fd = open("hostile-file", O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 100; i++) {
        if (pwrite(fd, "x", 1, 200 * MIB) == 1) {
            break;
        }
    }
    spin();
}
