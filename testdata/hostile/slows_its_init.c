#include "outcomes.h"

int main(void) {
    struct sched_param zero = {0};
    refused("setpriority", setpriority(PRIO_PROCESS, 1, 19));
    refused("setpriority of a user", setpriority(PRIO_USER, 12345, 19));
    refused("SCHED_IDLE", sched_setscheduler(1, SCHED_IDLE, &zero));
    for (int i = 0; i < 14 && fork() > 0; i++) {
    }
    spin();
}
