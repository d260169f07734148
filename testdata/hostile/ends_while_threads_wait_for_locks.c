#include "outcomes.h"

#include <sys/file.h>

static void *wait_for_it(void *unused) {
    flock(open("hostile-lock", O_RDONLY), LOCK_EX);
    dprintf(1, "LOCKED\n");
    return unused;
}

int main(void) {
    int fd = open("hostile-lock", O_RDWR | O_CREAT, 0600);
    print_outcome("free", flock(fd, LOCK_EX | LOCK_NB));
    for (int at = 0; at < 8; at++) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_it, NULL);
    }
    usleep(20000);
}
