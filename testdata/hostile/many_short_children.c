#include "outcomes.h"

int main(void) {
    double end = seconds(CLOCK_MONOTONIC) + 25;
    while (seconds(CLOCK_MONOTONIC) < end) {
        if (fork() == 0) {
            burn(0.002);
            _exit(0);
        }
        wait(NULL);
    }
}
