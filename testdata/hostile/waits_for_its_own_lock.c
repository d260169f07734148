#include "outcomes.h"

#include <sys/file.h>

static void *wait_for_it(void *unused) {
    flock(open("hostile-lock", O_RDONLY), LOCK_EX);
    return unused;
}

int main(void) {
    flock(open("hostile-lock", O_RDWR | O_CREAT, 0600), LOCK_EX);
    for (int at = 0; at < 12; at++) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_it, NULL);
    }
    wait_for_it(NULL);
}
