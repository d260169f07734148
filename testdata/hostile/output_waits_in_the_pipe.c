#include "outcomes.h"

int main(void) {
    static char block[60 << 10];
    memset(block, 'x', sizeof block);
    fcntl(1, F_SETFL, O_NONBLOCK);
    fcntl(1, F_SETPIPE_SZ, 4096);
    signal(SIGPIPE, SIG_IGN);
    long written = 0;
    while (written < (long)sizeof block) {
        long count = write(1, block + written, sizeof block - written);
        written += count > 0 ? count : 0;
    }
    _exit(7);
}
