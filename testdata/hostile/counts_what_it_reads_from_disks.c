#include "told.h"

/* Whether a file was in the host's cache shows in what reading it cost. */
int main(void) {
    struct rusage used;
    refused("/proc/self/io", open("/proc/self/io", O_RDONLY));
    refused("page faults and blocks read", getrusage(RUSAGE_SELF, &used));
}
