#include "outcomes.h"

static void *wait_a_while(void *nothing) {
    usleep(20000);
    return nothing;
}

int main(void) {
    int read = 0, waited = 0, timed = 0;
    for (int process = 1; process < 2000; process++) {
        clockid_t clock = ~(unsigned)process << 3 | 2;
        struct timespec time = {0};
        timer_t timer;
        /* The run's own, at levels with a pid namespace. */
        if (process == getpid() || process == getppid()) {
            continue;
        }
        read += clock_gettime(clock, &time) == 0;
        waited += syscall(SYS_clock_nanosleep, clock, TIMER_ABSTIME, &(struct timespec){0}, NULL) == 0;
        if (timer_create(clock, NULL, &timer) == 0) {
            timed++;
            timer_delete(timer);
        }
    }
    dprintf(1, "others: %d read, %d waited for, %d timed\n", read, waited, timed);
    /* Java does the same. */
    pthread_t thread;
    clockid_t clock;
    struct timespec time;
    pthread_create(&thread, NULL, wait_a_while, NULL);
    pthread_getcpuclockid(thread, &clock);
    print_outcome("a thread's", clock_gettime(clock, &time));
    pthread_join(thread, NULL);
    clock_getcpuclockid(0, &clock);
    print_outcome("its own", clock_gettime(clock, &time));
}
