#include "outcomes.h"
#include <sys/epoll.h>

int main(void) {
    int ends[2], watcher = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    print_outcome("a pipe", pipe(ends));
    print_outcome("a watch", epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &event));
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    dprintf(1, "%s\n", limit.rlim_max <= 1024 ? "so many at most" : "MORE");
}
