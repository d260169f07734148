#include "outcomes.h"

int main(void) {
    int last = 0, fd;
    while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd < 1 << 20) {
        last = fd;
    }
    dprintf(1, "%s after %d\n", strerrorname_np(errno), last);
}
