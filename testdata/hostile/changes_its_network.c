#include "told.h"

#include <net/if.h>

int main(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0), one = 1;
    struct ifreq request = {.ifr_name = "lo"};
    request.ifr_flags = IFF_UP;
    refused("up", ioctl(fd, SIOCSIFFLAGS, &request));
    ((struct sockaddr_in *)&request.ifr_addr)->sin_family = AF_INET;
    refused("an address", ioctl(fd, SIOCSIFADDR, &request));
    refused("a name", ioctl(fd, SIOCSIFNAME, &request));
    refused("a mark", setsockopt(fd, SOL_SOCKET, SO_MARK, &one, sizeof one));
    refused("a priority", setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &(int){7}, sizeof(int)));
    refused("a large buffer", setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &(int){1 << 30}, sizeof(int)));
    refused("foreign addresses", setsockopt(fd, IPPROTO_IP, 19 /* IP_TRANSPARENT */, &one, sizeof one));
    refused("tables", setsockopt(fd, IPPROTO_IP, 64 /* IPT_SO_SET_REPLACE */, &one, sizeof one));
}
