#include "outcomes.h"

/* Sends one end of a pair through the pair itself: after that only the message that contains it holds it. */
int main(void) {
    int pair[2];
    print_outcome("a pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    char byte = 0, space[CMSG_SPACE(sizeof(int))];
    struct iovec part = {&byte, 1};
    struct mmsghdr message = {{.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space}, 0};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message.msg_hdr);
    *header = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(header), &pair[1], sizeof(int));
    print_outcome("sendmsg", sendmsg(pair[0], &message.msg_hdr, MSG_DONTWAIT));
    print_outcome("sendmmsg", sendmmsg(pair[0], &message, 1, MSG_DONTWAIT));
    print_outcome("plain bytes", send(pair[0], "x", 1, MSG_DONTWAIT));
}
