#include "outcomes.h"

int main(void) {
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &unlimited);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    char *block = malloc(32 * MIB);
    touch(block, 32 * MIB);
    abort();
}
