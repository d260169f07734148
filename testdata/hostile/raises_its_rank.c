#include "outcomes.h"

int main(void) {
    struct sched_param first = {.sched_priority = 1};
    refused("SCHED_FIFO", sched_setscheduler(0, SCHED_FIFO, &first));
    refused("SCHED_RR", sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first));
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; } wanted =
        {.size = 48, .policy = 6 /* SCHED_DEADLINE */, .runtime = 900000, .deadline = 1000000, .period = 1000000};
    refused("SCHED_DEADLINE", syscall(SYS_sched_setattr, 0, &wanted, 0));
    wanted.policy = 0;
    wanted.nice = -10;
    refused("nice", syscall(SYS_sched_setattr, 0, &wanted, 0));
    refused("nice(2)", nice(-5) == -1 ? -1 : 0);
    refused("real-time input and output", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
    refused("another processor", sched_setaffinity(0, sizeof(cpu_set_t), &(cpu_set_t){{-1}}));
    refused("another one's processor", sched_setaffinity(1, sizeof(cpu_set_t), &(cpu_set_t){{1}}));
    refused("a shared core", prctl(62 /* PR_SCHED_CORE */, 2, getppid(), 1, 0));
}
