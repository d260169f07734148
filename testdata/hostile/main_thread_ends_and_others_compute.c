#include "outcomes.h"

static void *compute(void *nothing) {
    spin();
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_create(&thread, NULL, compute, NULL);
    pthread_exit(NULL);
}
