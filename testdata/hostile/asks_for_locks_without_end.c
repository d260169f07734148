#include "outcomes.h"

#include <sys/file.h>

static void *ask(void *unused) {
    int fd = open("hostile-lock", O_RDWR | O_CREAT, 0600), null = open("/dev/null", O_RDWR);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    for (double end = seconds(CLOCK_MONOTONIC) + 5; seconds(CLOCK_MONOTONIC) < end;) {
        flock(fd, LOCK_EX | LOCK_NB);
        flock(null, LOCK_EX | LOCK_NB);
        fcntl(null, F_SETLK, &whole);
        flock(fd, LOCK_UN);
    }
    return unused;
}

int main(void) {
    for (int at = 0; at < 12; at++) {
        pthread_t thread;
        pthread_create(&thread, NULL, ask, NULL);
    }
    ask(NULL);
}
