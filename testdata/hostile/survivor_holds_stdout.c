#include "outcomes.h"

int main(void) {
    if (fork() == 0) {
        setsid();
        idle();
        _exit(0);
    }
    dprintf(1, "done\n");
}
