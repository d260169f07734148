#include "outcomes.h"

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(4711)};
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0hostile-name"};
    int stream = socket(AF_INET, SOCK_STREAM, 0), datagram = socket(AF_INET, SOCK_DGRAM, 0), local = socket(AF_UNIX, SOCK_STREAM, 0);
    if (stream < 0 && datagram < 0 && local < 0) {
        dprintf(1, "nobody there\n");
        return 0;
    }
    if (connect(local, (void *)&name, sizeof name) == 0 || connect(stream, (void *)&address, sizeof address) == 0) {
        dprintf(1, "SOMEBODY THERE\n");
    }
    int own = socket(AF_UNIX, SOCK_STREAM, 0);
    struct ip_mreqn group = {.imr_multiaddr.s_addr = htonl(0xe0000142), .imr_ifindex = 1};
    setsockopt(datagram, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group);
    int taken = bind(datagram, (void *)&address, sizeof address) ||
        bind(own, (void *)&name, sizeof name) || listen(own, 5);
    dprintf(1, "%s\n", taken ? "TAKEN" : "nobody there");
}
