#include "outcomes.h"
#include <linux/futex.h>

static int lock;

static void waits_for(const char *what, int owner) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_nsec += 20000000;
    now.tv_sec += now.tv_nsec / 1000000000;
    now.tv_nsec %= 1000000000;
    lock = owner;
    refused(what, syscall(SYS_futex, &lock, FUTEX_LOCK_PI_PRIVATE, 0, &now, NULL, 0));
}

int main(void) {
    waits_for("its parent", getppid());
    waits_for("the first process", 1);
    waits_for("itself", getpid());
    waits_for("nobody", 0x3ffffff0);
    print_outcome("what is left", lock == 0 ? -1 : 0);
}
