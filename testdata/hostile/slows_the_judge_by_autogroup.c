#include "outcomes.h"

int main(void) {
    refused("autogroup", open("/proc/self/autogroup", O_WRONLY));
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/autogroup", getppid());
    refused("autogroup of the parent", open(path, O_WRONLY));
    snprintf(path, sizeof path, "/proc/%d/task/%d/../../autogroup", getpid(), getpid());
    refused("autogroup of a thread", open(path, O_RDWR));
}
