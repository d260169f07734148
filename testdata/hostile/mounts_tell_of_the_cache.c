#include "outcomes.h"

/* Mounts of the kernel's own file systems reveal nothing about the host; all others come from a device or a path of it. */
int main(void) {
    for (int kind = 0; kind < 3; kind++) {
        const char *name = (const char *[]){"mountinfo", "mounts", "mountstats"}[kind];
        char path[64], line[8192];
        snprintf(path, sizeof path, "/proc/self/%s", name);
        FILE *file = fopen(path, "r");
        int told = 0;
        while (file && fgets(line, sizeof line, file)) {
            told++;
            if (strstr(line, "/dev/") || strstr(line, "judge") || strstr(line, "cache") || strstr(line, "/usr ")) {
                dprintf(1, "%s", line);
            }
        }
        dprintf(1, "%s: %s\n", name, told ? "TOLD" : "nothing");
    }
}
