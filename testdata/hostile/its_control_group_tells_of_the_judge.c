#include "outcomes.h"

/* A group's name contains numbers of the judge's processes, and the groups above show how the host is divided. */
int main(void) {
    char line[4096], path[4096] = "none";
    FILE *file = fopen("/proc/self/cgroup", "r");
    int lines = 0;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *last = strchr(strchr(line, ':') + 1, ':') + 1;
        lines++;
        if (strcmp(last, "/")) {
            snprintf(path, sizeof path, "some");
            dprintf(2, "%s\n", line);
        }
    }
    dprintf(1, "lines: %s, paths: %s\n", lines ? "some" : "none", path);
}
