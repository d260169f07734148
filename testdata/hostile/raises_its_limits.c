#include "outcomes.h"

int main(void) {
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    int limits[] = {RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_CORE, RLIMIT_MEMLOCK};
    for (int i = 0; i < 5; i++) {
        refused("setrlimit", setrlimit(limits[i], &unlimited));
    }
    refused("prlimit of init", prlimit(1, RLIMIT_CPU, &unlimited, NULL));
    refused("setpriority", setpriority(PRIO_PROCESS, 0, -5));
    struct sched_param fifo = {.sched_priority = 1};
    refused("SCHED_FIFO", sched_setscheduler(0, SCHED_FIFO, &fifo));
    refused("SCHED_RR", sched_setscheduler(0, SCHED_RR, &fifo));
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    refused("sched_setaffinity", sched_setaffinity(0, sizeof all, &all));
    refused("ioprio_set", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
}
