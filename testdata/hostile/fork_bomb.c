#include "outcomes.h"

int main(void) {
    volatile int *count = shared_counter();
    double end = seconds(CLOCK_MONOTONIC) + 60;
    while (seconds(CLOCK_MONOTONIC) < end) {
        if (__sync_add_and_fetch(count, 1) <= MOST_PROCESSES) {
            fork();
        }
    }
}
