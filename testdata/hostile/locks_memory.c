#include "outcomes.h"

int main(void) {
    refused("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE));
    char *block = mmap(NULL, 8 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    refused("mlock", mlock(block, 8 * MIB));
}
