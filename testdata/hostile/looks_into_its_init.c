#include "outcomes.h"

int main(void) {
    const char *files[] = {"maps", "mem", "fd", "ns/mnt", "syscall", "stack", "auxv", "io", "smaps", "map_files", "task/1/fd", "fdinfo"};
    for (int at = 0; at < 12; at++) {
        for (int parent = 0; parent < 2; parent++) {
            char path[64], byte;
            snprintf(path, sizeof path, "/proc/%d/%s", parent ? getppid() : 1, files[at]);
            int fd = open(path, O_RDONLY);
            if (fd >= 0 && (read(fd, &byte, 1) > 0 || errno == EISDIR)) {
                dprintf(1, "%s: READ\n", files[at]);
            }
        }
    }
    dprintf(1, "done\n");
}
