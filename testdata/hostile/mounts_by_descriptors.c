#include "outcomes.h"

int main(void) {
    uint64_t attributes[4] = {0, 1 /* MOUNT_ATTR_RDONLY */, 0, 0};
    refused("fsopen", syscall(430, "tmpfs", 0));
    refused("fspick", syscall(433, AT_FDCWD, "/", 0));
    refused("fsmount", syscall(432, 0, 0, 0));
    refused("open_tree", syscall(428, AT_FDCWD, "/usr", 1 /* OPEN_TREE_CLONE */));
    refused("open_tree without a copy", syscall(428, AT_FDCWD, "/usr", 0));
    refused("open_tree_attr", syscall(467, AT_FDCWD, "/usr", 1, attributes, sizeof attributes));
    refused("move_mount", syscall(429, AT_FDCWD, "/usr", AT_FDCWD, ".", 0));
    refused("mount_setattr", syscall(442, AT_FDCWD, "/usr", 0, attributes, sizeof attributes));
    refused("quotactl_fd", syscall(443, 0, 0, 0, 0));
    refused("pivot_root", syscall(SYS_pivot_root, ".", "."));
}
