#include "told.h"

int main(void) {
    int pair[2];
    char request[64] = {0};
    told("a pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    /* Any socket works: the kernel requests the module for sockets of every family. */
    told("SIOCGIFBR", ioctl(pair[0], 0x8940, request));
    told("SIOCGIFVLAN", ioctl(pair[0], 0x8982, request));
    told("an interface", ioctl(pair[0], 0x8910 /* SIOCGIFNAME */, request));
}
