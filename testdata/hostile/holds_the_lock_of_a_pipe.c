#include "outcomes.h"

#include <sys/sendfile.h>

static int channel[2], pair[2];

/* Sleeps with the lock of the pipe, because there is nothing to move. */
static void *hold(void *unused) {
    (void)unused;
    if (splice(pair[0], NULL, channel[1], NULL, 4096, 0) < 0) {
        sendfile(channel[1], pair[0], NULL, 4096);
    }
    return NULL;
}

int main(void) {
    char byte;
    if (pipe(channel) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
        return 1;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, hold, NULL);
    usleep(50000);
    /* Waits for the lock within the kernel. */
    read(channel[0], &byte, 1);
}
