#include "outcomes.h"

int main(void) {
    for (int fd = 0; fd < 65536; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            dprintf(1, "open: %d\n", fd);
        }
    }
}
