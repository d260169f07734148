#include "outcomes.h"

#include <sys/mount.h>

int main(void) {
    refused("user", unshare(CLONE_NEWUSER));
    refused("mount", unshare(CLONE_NEWNS));
    refused("pid", unshare(CLONE_NEWPID));
    refused("network", unshare(CLONE_NEWNET));
    refused("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    uint64_t arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    refused("clone3", syscall(SYS_clone3, arguments, sizeof arguments));
    refused("mount call", mount("tmpfs", ".", "tmpfs", 0, NULL));
    refused("umount", umount2("/box", MNT_DETACH));
    refused("remount", mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    refused("chroot", chroot("."));
    refused("pivot_root", syscall(SYS_pivot_root, ".", "."));
    refused("setns", syscall(SYS_setns, open("/proc/1/ns/mnt", O_RDONLY), 0));
    refused("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
    refused("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
    refused("mount_setattr", syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, NULL, 0));
    refused("sethostname", sethostname("hostile", 7));
}
