#include "outcomes.h"
#include <sys/uio.h>

int main(void) {
    static char block[4096];
    struct iovec part = {block, sizeof block};
    int tool = open("/usr/bin/env", O_RDONLY), own = open("hostile-own", O_RDWR | O_CREAT, 0600);
    print_outcome("a tool", preadv2(tool, &part, 1, 0, RWF_NOWAIT));
    print_outcome("a tool, and at high priority", preadv2(tool, &part, 1, 0, RWF_NOWAIT | RWF_HIPRI));
    print_outcome("its own", preadv2(own, &part, 1, 0, RWF_NOWAIT));
    print_outcome("a tool that may be waited for", preadv2(tool, &part, 1, 0, 0));
}
