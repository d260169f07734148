#include "outcomes.h"
#include <linux/membarrier.h>

static void *storm(void *nothing) {
    double give_up = seconds(CLOCK_MONOTONIC) + 60;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < 5 && seconds(CLOCK_MONOTONIC) < give_up) {
        for (int i = 0; i < 100; i++) {
            syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
            syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
        }
    }
    return nothing;
}

int main(void) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
    pthread_t other;
    for (int i = 0; i < 3; i++) {
        pthread_create(&other, NULL, storm, NULL);
    }
    storm(NULL);
}
