#include "outcomes.h"

static void *compute(void *nothing) {
    spin();
    return nothing;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 5; i++) {
        pthread_create(&thread, NULL, compute, NULL);
    }
    idle();
}
