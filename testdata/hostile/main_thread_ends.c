#include "outcomes.h"

static void *wait_a_while(void *nothing) {
    idle();
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_a_while, NULL);
    pthread_exit(NULL);
}
