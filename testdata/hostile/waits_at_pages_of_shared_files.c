#include <linux/futex.h>
#include "outcomes.h"

/* Two mappings of a file, as two slots have them: they share only the file. */
static int *map(void) { return mmap(NULL, 4096, PROT_READ, MAP_SHARED, open("/usr/bin/env", O_RDONLY), 0); }

static void *wait_there(void *result) {
    int *page = map();
    struct timespec half_a_second = {0, 500000000};
    *(long *)result = syscall(SYS_futex, page, FUTEX_WAIT, *page, &half_a_second, NULL, 0);
    return NULL;
}

int main(void) {
    int *page = map();
    long waited = -1, woken = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, wait_there, &waited);
    for (int i = 0; i < 45 && woken <= 0; i++) {
        usleep(10000);
        woken = syscall(SYS_futex, page, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    pthread_join(thread, NULL);
    dprintf(1, "%s\n", woken > 0 && waited == 0 ? "HEARD" : "nothing heard");
}
