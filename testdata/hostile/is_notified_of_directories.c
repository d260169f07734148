#include "outcomes.h"

#ifndef F_NOTIFY
#define F_NOTIFY 1026
#endif

int main(void) {
    const char *places[] = {"/", "/usr", "/usr/bin", "/dev", beside(""), temporary(), "."};
    for (int at = 0; at < 7; at++) {
        int fd = open(places[at], O_RDONLY | O_DIRECTORY);
        refused("notify", fcntl(fd, F_NOTIFY, 0x8000003f /* everything, again and again */));
    }
}
