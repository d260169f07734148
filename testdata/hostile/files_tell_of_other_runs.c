#include "outcomes.h"

int main(void) {
    const char *names[] = {"/dev/null", "/dev/full", "/dev/zero", "/dev", "/", "/judge"};
    for (int at = 0; at < 6; at++) {
        int fd = open(names[at], at < 3 ? O_RDWR : O_RDONLY);
        refused("mode", fchmod(fd, 0600));
        refused("times", futimens(fd, NULL));
        refused("attribute", syscall(SYS_fsetxattr, fd, "user.hostile", "1", 1, 0));
        refused("immutable", ioctl(fd, 0x40086602 /* FS_IOC_SETFLAGS */, &(int){0x10}));
    }
}
