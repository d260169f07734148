#include "outcomes.h"

#include <sys/file.h>

static volatile int holders, turns, most;

static void *take(void *unused) {
    int fd = open("hostile-lock", O_RDONLY);
    if (flock(fd, LOCK_EX) == 0) {
        int now = __sync_add_and_fetch(&holders, 1);
        most = now > most ? now : most;
        usleep(2000);
        turns++;
        __sync_sub_and_fetch(&holders, 1);
        flock(fd, LOCK_UN);
    }
    close(fd);
    return unused;
}

static void on_alarm(int number) { (void)number; }

int main(void) {
    pthread_t threads[12];
    int fd = open("hostile-lock", O_RDWR | O_CREAT, 0600);
    flock(fd, LOCK_EX);
    for (int at = 0; at < 12; at++) {
        pthread_create(&threads[at], NULL, take, NULL);
    }
    usleep(20000);
    dprintf(1, "while it is held: %d\n", turns);
    flock(fd, LOCK_UN);
    for (int at = 0; at < 12; at++) {
        pthread_join(threads[at], NULL);
    }
    dprintf(1, "%d turns, at most %d at a time\n", turns, most);
    int other = open("hostile-lock", O_RDONLY);
    flock(other, LOCK_EX);
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    print_outcome("interrupted", flock(fd, LOCK_EX));
    flock(other, LOCK_UN);
    print_outcome("in the end", flock(fd, LOCK_EX | LOCK_NB));
}
