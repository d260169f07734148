#include "outcomes.h"

/* The cost of reading a file shows whether it was in the host's cache. */
int main(void) {
    struct rusage used;
    refused("/proc/self/io", open("/proc/self/io", O_RDONLY));
    refused("page faults and blocks read", getrusage(RUSAGE_SELF, &used));
}
