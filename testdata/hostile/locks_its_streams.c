#include "outcomes.h"

#include <sys/file.h>

int main(void) {
    for (int stream = 0; stream < 3; stream++) {
        refused("flock", flock(stream, LOCK_EX | LOCK_NB));
        struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
        refused("POSIX", fcntl(stream, F_SETLK, &whole));
    }
}
