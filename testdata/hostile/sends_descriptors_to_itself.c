#include "told.h"

/* Sends both ends of a pair, and more, through the pair itself: nobody holds them any more but they each other. */
static int cycle(void) {
    int pair[2], sent[200];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) {
        return -1;
    }
    for (int i = 0; i < 200; i++) {
        sent[i] = pair[i % 2];
    }
    char byte = 0, space[CMSG_SPACE(sizeof sent)];
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){CMSG_LEN(sizeof sent), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(header), sent, sizeof sent);
    int result = 0;
    while (result >= 0) {
        result = (int)sendmsg(pair[0], &message, MSG_DONTWAIT);
    }
    close(pair[0]);
    close(pair[1]);
    return 0;
}

int main(void) {
    for (int i = 0; i < 50 && cycle() == 0; i++) {
    }
    /* Whatever was in flight is no longer counted once it is collected. */
    int pair[2];
    told("another pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}
