#include "outcomes.h"

int main(void) {
    static char block[(64 << 10) + 1];
    memset(block, 'x', sizeof block);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    fcntl(1, F_SETPIPE_SZ, MIB);
    write(1, block, sizeof block);
    _exit(0);
}
