#include "outcomes.h"

int main(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (int fd = 0; fd < 3; fd++) {
                close(fd);
            }
            chdir("/");
            idle();
        }
        _exit(0);
    }
    wait(NULL);
    dprintf(1, "done\n");
}
