#include "told.h"

int main(void) {
    int ends[2];
    told("a pipe", pipe(ends));
    told("its size", fcntl(ends[0], F_GETPIPE_SZ));
    told("a larger one", fcntl(ends[0], F_SETPIPE_SZ, 1 << 20));
}
