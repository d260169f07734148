#include "outcomes.h"

#include <sys/xattr.h>

int main(void) {
    static char value[65536];
    int memory = memfd_create("hostile", 0);
    print_outcome("of an open file", fsetxattr(memory, "user.hostile", value, sizeof value, 0));
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    refused("by its path", setxattr(path, "user.hostile", value, sizeof value, 0));
    refused("of a link", lsetxattr("hostile", "user.hostile", value, sizeof value, 0));
}
