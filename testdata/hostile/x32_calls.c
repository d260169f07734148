#include "outcomes.h"

int main(void) {
    long result = syscall(0x40000000 | SYS_getpid);
    dprintf(1, "SUCCEEDED: %ld\n", result);
}
