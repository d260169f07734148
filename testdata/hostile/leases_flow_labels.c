#include "told.h"

/* struct in6_flowlabel_req of linux/in6.h. */
struct lease {
    unsigned char address[16];
    uint32_t label;
    uint8_t action, share;
    uint16_t flags, expires, linger;
    uint32_t unused;
};

int main(void) {
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    struct lease lease = {.address = {[15] = 1}, .label = htonl(0x12345), .share = 255, .flags = 1, .linger = 60, .expires = 60};
    refused("a label", setsockopt(fd, 41, 32, &lease, sizeof lease));
    lease.share = 1;
    lease.flags = 3;
    refused("a label of its own", setsockopt(fd, 41, 32, &lease, sizeof lease));
}
