#include "outcomes.h"

int main(void) {
    /* It may change its own end of the pipe, but not the other one. */
    fcntl(1, F_SETFL, O_NONBLOCK | O_APPEND);
    fcntl(1, 1031 /* F_SETPIPE_SZ */, 4096);
    fcntl(0, F_SETFL, O_NONBLOCK);
    char text[8] = {0};
    lseek(0, 4, SEEK_SET);
    long got = read(0, text, 1);
    dprintf(1, "read %ld: %s\n", got, text);
    refused("writing to standard input", write(0, "x", 1));
    refused("cutting standard input", ftruncate(0, 0));
    /* A file of its own in place of each stream, and back again. */
    int out = dup(1), file = open("hostile-file", O_RDWR | O_CREAT, 0600);
    for (int stream = 0; stream < 3; stream++) {
        dup2(file, stream);
    }
    dprintf(1, "to nobody\n");
    dup2(out, 1);
    lseek(file, 0, SEEK_SET);
    got = read(file, text, 7);
    dprintf(1, "%s\n", got == 7 && memcmp(text, "to nobo", 7) == 0 ? "back" : "LOST");
}
