#include "outcomes.h"

int main(void) {
    if (fork() == 0) {
        double end = seconds(CLOCK_MONOTONIC) + 5;
        while (seconds(CLOCK_MONOTONIC) < end) {
            usleep(200000);
            write(1, "more\n", 5);
        }
        _exit(0);
    }
    dprintf(1, "done\n");
}
