#include "outcomes.h"

#include <sys/file.h>

int main(void) {
    refused("link", link("/usr/bin/env", "hostile-env"));
    refused("link of its program", link(program(), "hostile-program"));
    symlink("/dev/null", "hostile-null");
    symlink(program(), "hostile-self");
    mkdir("hostile-directory", 0700);
    symlink("/usr", "hostile-directory/usr");
    print_outcome("a device", flock(open("hostile-null", O_RDWR), LOCK_EX | LOCK_NB));
    print_outcome("its program", flock(open("hostile-self", O_RDONLY), LOCK_EX | LOCK_NB));
    print_outcome("a tool", flock(open("hostile-directory/usr/bin/env", O_RDONLY), LOCK_EX | LOCK_NB));
    print_outcome("its own", flock(open("hostile-directory", O_RDONLY), LOCK_EX | LOCK_NB));
}
