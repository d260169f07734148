#include "outcomes.h"

static void *hold(void *nothing) {
    char *block = malloc(40 * MIB);
    touch(block, 40 * MIB);
    usleep(300000);
    _exit(0);
    return nothing;
}

int main(void) {
    for (int i = 0; i < 8; i++) {
        if (fork() == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, hold, NULL);
            pthread_exit(NULL);
        }
    }
    while (wait(NULL) > 0) {
    }
    dprintf(1, "done\n");
}
