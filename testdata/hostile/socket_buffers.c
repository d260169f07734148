#include "outcomes.h"

int main(void) {
    static char block[1 << 16];
    for (int i = 0; i < 400; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0) {
            break;
        }
        while (send(ends[0], block, sizeof block, MSG_NOSIGNAL) > 0) {
        }
        while (send(ends[1], block, sizeof block, MSG_NOSIGNAL) > 0) {
        }
    }
    dprintf(1, "done\n");
}
