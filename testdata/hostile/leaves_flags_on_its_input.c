#include "outcomes.h"

int main(void) {
    for (int stream = 0; stream < 3; stream++) {
        dprintf(1, "%s\n", fcntl(stream, F_GETFL) & (O_NONBLOCK | O_APPEND | O_ASYNC | O_NOATIME) ? "LEFT" : "as new");
        fcntl(stream, F_SETFL, O_NONBLOCK | O_APPEND);
    }
    lseek(0, 4711, SEEK_SET);
}
