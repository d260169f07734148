#include "outcomes.h"

int main(void) {
    int ends[2];
    print_outcome("a pipe", pipe(ends));
    print_outcome("its size", fcntl(ends[0], F_GETPIPE_SZ));
    print_outcome("a larger one", fcntl(ends[0], F_SETPIPE_SZ, 1 << 20));
}
