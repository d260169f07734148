#include "outcomes.h"

int main(void) {
    int own = open("hostile-lease", O_RDWR | O_CREAT, 0600);
    for (int command = 1024; command <= 1040; command += 16) {
        print_outcome("its program", fcntl(open(program(), O_RDONLY), command, F_RDLCK));
        print_outcome("a tool", fcntl(open("/usr/bin/env", O_RDONLY), command, F_RDLCK));
        print_outcome("a directory", fcntl(open("/usr/bin", O_RDONLY | O_DIRECTORY), command, F_RDLCK));
        print_outcome("its own", fcntl(own, command, F_WRLCK));
    }
}
