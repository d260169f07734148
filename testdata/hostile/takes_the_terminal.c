#include "outcomes.h"

int main(void) {
    refused("/dev/tty", open("/dev/tty", O_RDWR));
    refused("/dev/console", open("/dev/console", O_RDWR));
    refused("/dev/ptmx", open("/dev/ptmx", O_RDWR));
    for (int fd = 0; fd < 3; fd++) {
        refused("TIOCSTI", ioctl(fd, TIOCSTI, "x"));
        refused("TIOCSCTTY", ioctl(fd, TIOCSCTTY, 1));
        refused("TIOCLINUX", ioctl(fd, TIOCLINUX, "\2"));
    }
}
