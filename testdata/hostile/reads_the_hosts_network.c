#include "outcomes.h"
#include <sys/syscall.h>

/* Each thread's directory in /proc contains the network again. */
int main(void) {
    char own[64], path[128];
    snprintf(own, sizeof own, "/proc/self/task/%ld/net", syscall(SYS_gettid));
    const char *places[] = {"/proc/net", "/proc/self/net", "/proc/thread-self/net", own};
    const char *files[] = {"unix", "tcp", "dev", "snmp", "route"};
    for (int place = 0; place < 4; place++) {
        for (int file = 0; file < 5; file++) {
            snprintf(path, sizeof path, "%s/%s", places[place], files[file]);
            int fd = open(path, O_RDONLY);
            dprintf(1, "%d %s: %s\n", place, files[file], fd < 0 ? "refused" : "READ");
            if (fd >= 0) close(fd);
        }
    }
}
