#include "outcomes.h"

int main(void) {
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 12; i++) {
        if (fork() == 0) {
            burn(0.03);
            _exit(0);
        }
        wait(NULL);
    }
    dprintf(1, "done\n");
}
