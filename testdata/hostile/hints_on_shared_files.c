#include "outcomes.h"

static void hint(const char *what, const char *path, int flags) {
    int fd = open(path, flags, 0600);
    uint64_t value = 3;
    refused(what, fcntl(fd, 1036 /* F_SET_RW_HINT */, &value));
    refused(what, fcntl(fd, 1038 /* F_SET_FILE_RW_HINT */, &value));
    value = 0;
    if (fcntl(fd, 1035 /* F_GET_RW_HINT */, &value) == 0 && value != 0) {
        dprintf(1, "%s: a hint of %d\n", what, (int)value);
    }
}

int main(void) {
    hint("a tool", "/usr/bin/env", O_RDONLY);
    hint("its program", program(), O_RDONLY);
    hint("a device", "/dev/null", O_RDWR);
}
