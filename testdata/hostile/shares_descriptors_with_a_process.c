#include "outcomes.h"

int main(void) {
    refused("clone", syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0));
    refused("clone with memory", syscall(SYS_clone, CLONE_FILES | CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0));
}
