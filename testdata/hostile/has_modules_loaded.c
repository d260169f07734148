#include "outcomes.h"

int main(void) {
    int pair[2];
    char request[64] = {0};
    print_outcome("a pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    /* Any socket works: the kernel requests the module for sockets of every family. */
    print_outcome("SIOCGIFBR", ioctl(pair[0], 0x8940, request));
    print_outcome("SIOCGIFVLAN", ioctl(pair[0], 0x8982, request));
    print_outcome("an interface", ioctl(pair[0], 0x8910 /* SIOCGIFNAME */, request));
}
