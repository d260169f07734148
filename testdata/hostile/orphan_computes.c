#include "outcomes.h"

int main(void) {
    int ends[2];
    pipe(ends);
    if (fork() == 0) {
        if (fork() == 0) {
            setsid();
            burn(0.3);
        }
        _exit(0);
    }
    close(ends[1]);
    wait(NULL);
    char byte;
    read(ends[0], &byte, 1);
    dprintf(1, "done\n");
}
