#include "outcomes.h"

int main(void) {
    char own[PATH_MAX];
    snprintf(own, sizeof own, "%s/hostile", temporary());
    const char *places[] = {"hostile", "/tmp/hostile", "/dev/shm/hostile", "/var/tmp/hostile", "/box/hostile", "/dev/hostile", own};
    int found = 0;
    for (int i = 0; i < 7; i++) {
        found += access(places[i], F_OK) == 0;
    }
    for (int i = 0; i < 7; i++) {
        int fd = open(places[i], O_WRONLY | O_CREAT, 0666);
        if (fd >= 0) {
            write(fd, "message", 7);
        }
    }
    dprintf(1, "process %d found %d\n", getpid(), found);
}
