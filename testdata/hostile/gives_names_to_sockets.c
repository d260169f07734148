#include "outcomes.h"

int main(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0hostile-name"};
    int pair[2];
    uint64_t cookie;
    socklen_t length = sizeof cookie;
    print_outcome("a pair", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
    print_outcome("bind", bind(pair[0], (void *)&name, sizeof name));
    print_outcome("connect", connect(pair[0], (void *)&name, sizeof name));
    print_outcome("listen", listen(pair[0], 1));
    /* The kernel would choose a name, when something is sent. */
    print_outcome("SO_PASSCRED", setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &(int){1}, sizeof(int)));
    /* A number that the whole host counts up. */
    print_outcome("SO_COOKIE", getsockopt(pair[0], SOL_SOCKET, 57, &cookie, &length));
    print_outcome("MSG_OOB", send(pair[0], "x", 1, MSG_OOB));
}
