#include "outcomes.h"

static void to(const char *what, const char *address, int port, int kind) {
    struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, address, &peer.sin_addr);
    int fd = socket(AF_INET, kind | SOCK_NONBLOCK, 0);
    long result = connect(fd, (struct sockaddr *)&peer, sizeof peer);
    if (result == 0 && kind == SOCK_DGRAM) {
        result = send(fd, "x", 1, MSG_NOSIGNAL);
    }
    refused(what, result);
    if (result < 0 && errno == EINPROGRESS) {
        dprintf(1, "but on its way\n");
    }
}

int main(void) {
    to("internet", "1.1.1.1", 80, SOCK_STREAM);
    to("this host", "127.0.0.1", 22, SOCK_STREAM);
    to("cloud metadata", "169.254.169.254", 80, SOCK_STREAM);
    to("name server", "8.8.8.8", 53, SOCK_DGRAM);
    to("local name server", "127.0.0.53", 53, SOCK_DGRAM);
    to("broadcast", "255.255.255.255", 67, SOCK_DGRAM);
    struct sockaddr_in6 loopback = {.sin6_family = AF_INET6, .sin6_port = htons(22), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    refused("IPv6", connect(socket(AF_INET6, SOCK_STREAM, 0), (struct sockaddr *)&loopback, sizeof loopback));
}
