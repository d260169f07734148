#include "outcomes.h"

int main(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_SIGPENDING, &limit);
    dprintf(1, "%s\n", limit.rlim_max <= 4096 ? "a part of them" : "ALL OF THEM");
    limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
    refused("one more", setrlimit(RLIMIT_SIGPENDING, &limit));
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    int queued = 0;
    while (queued < 10000 && sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0) {
        queued++;
    }
    dprintf(1, "%s\n", queued <= 4096 ? "no more than that" : "MORE THAN THAT");
}
