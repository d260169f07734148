#include "outcomes.h"

#include <sys/file.h>

static int own, null, slot;
static volatile int stop;

static void *exchange(void *unused) {
    while (!stop) {
        dup2(null, slot);
        dup2(own, slot);
    }
    return unused;
}

/* A lock on the device would belong to the description that all copies of `null` share. Calls on devices are refused in any
 * case, so the kernel's own list shows whether another description holds such a lock. */
int main(void) {
    own = open("hostile-lock", O_RDWR | O_CREAT, 0600);
    null = open("/dev/null", O_RDWR);
    slot = dup(own);
    pthread_t thread;
    pthread_create(&thread, NULL, exchange, NULL);
    int granted = 0, asked = 0;
    double end = seconds(CLOCK_MONOTONIC) + 0.2;
    /* On a busy host, few answers come in that time. */
    for (; seconds(CLOCK_MONOTONIC) < end || ((!granted || granted == asked) && seconds(CLOCK_PROCESS_CPUTIME_ID) < 1.5); asked++) {
        granted += flock(slot, LOCK_EX | LOCK_NB) == 0;
    }
    stop = 1;
    pthread_join(thread, NULL);
    struct stat device;
    fstat(null, &device);
    char line[256], wanted[64];
    snprintf(wanted, sizeof wanted, ":%lu ", (unsigned long)device.st_ino);
    FILE *locks = fopen("/proc/locks", "r");
    while (locks && fgets(line, sizeof line, locks)) {
        if (strstr(line, "FLOCK") && strstr(line, wanted)) {
            dprintf(1, "on the device: %s", line);
        }
    }
    dprintf(1, "%s\n", granted && granted < asked ? "some granted, some not" : granted ? "all granted" : "none granted");
}
