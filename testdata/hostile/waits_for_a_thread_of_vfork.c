#include "outcomes.h"

static char stack[65536];

static int sleeper(void *unused) {
    (void)unused;
    for (;;) {
        pause();
    }
}

int main(void) {
    int kind = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    clone(sleeper, stack + sizeof stack - 64, kind | CLONE_VFORK, NULL);
    for (;;) {
        pause();
    }
}
