#include "outcomes.h"

static void *wait_a_while(void *nothing) {
    idle();
    return nothing;
}

int main(void) {
    int made = 0;
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    while (made < MOST_PROCESSES && pthread_create(&thread, &small, wait_a_while, NULL) == 0) {
        made++;
    }
    dprintf(1, "threads: %d\n", made);
    _exit(0);
}
