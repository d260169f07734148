#include "outcomes.h"

int main(void) {
    refused("raw", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    refused("ping", connect(socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP), NULL, 0));
    int families[] = {AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG, AF_BLUETOOTH, AF_CAN, AF_TIPC, AF_RDS, AF_XDP, AF_NFC, AF_KEY, AF_QIPCRTR};
    for (unsigned i = 0; i < sizeof families / sizeof *families; i++) {
        char name[16];
        snprintf(name, sizeof name, "family %d", families[i]);
        refused(name, socket(families[i], i == 1 ? SOCK_RAW : SOCK_DGRAM, 0));
    }
}
