#include "outcomes.h"

int main(void) {
    uint64_t zeros[16] = {0};
    print_outcome("mount_setattr", syscall(442, -1, "", 0, zeros, sizeof zeros));
    print_outcome("quotactl_fd", syscall(443, -1, 0, 0, zeros));
    print_outcome("landlock_create_ruleset", syscall(444, NULL, 0, 1));
    print_outcome("memfd_secret", syscall(447, 0));
    print_outcome("set_mempolicy_home_node", syscall(450, zeros, 4096, 0, 0));
    print_outcome("cachestat", syscall(451, 0, zeros, zeros, 0));
    print_outcome("fchmodat2", syscall(452, AT_FDCWD, "hostile", 0600, 0));
    print_outcome("lsm_list_modules", syscall(461, zeros, zeros, 0));
    print_outcome("setxattrat", syscall(463, AT_FDCWD, "hostile", 0, "user.x", zeros, 16));
    print_outcome("open_tree_attr", syscall(467, -1, "", 0, zeros, 0));
    print_outcome("file_setattr", syscall(469, AT_FDCWD, "hostile", zeros, 24, 0));
    print_outcome("listns", syscall(470, zeros, zeros, 1, 0));
    print_outcome("one that does not exist yet", syscall(600));
}
