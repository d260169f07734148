#include "outcomes.h"

int main(void) {
    int fd = open("/usr/bin/env", O_RDONLY), ends[2];
    char before[16], after[16];
    pread(fd, before, sizeof before, 0);
    pipe(ends);
    /* Every buffer of the pipe is written once, which sets its flag. */
    static char filling[65536];
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    for (ssize_t count; (count = write(ends[1], filling, sizeof filling)) > 0;) {
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    while (read(ends[0], filling, sizeof filling) > 0) {
    }
    loff_t offset = 0;
    splice(fd, &offset, ends[1], NULL, 1, 0);
    write(ends[1], "HOSTILE", 7);
    pread(fd, after, sizeof after, 0);
    dprintf(1, "%s\n", memcmp(before, after, sizeof before) ? "CHANGED" : "as before");
    refused("splice into it", splice(ends[0], NULL, fd, &offset, 1, 0));
    refused("copy into it", copy_file_range(open(program(), O_RDONLY), NULL, fd, NULL, 1, 0));
    refused("punch into it", fallocate(fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 0, 4096));
}
