#include "outcomes.h"

int main(void) {
    for (int i = 0; i < 5; i++) {
        if (fork() == 0) {
            raise(SIGSTOP);
            idle();
            _exit(0);
        }
    }
    usleep(50000);
    dprintf(1, "done\n");
}
