#include "outcomes.h"

int main(int argc, char **argv) {
    (void)argc;
    print_outcome("the judge's own file", open(argv[1], O_RDONLY));
    const char *names[] = {"/etc/shadow", "/root/.ssh", "/home", "/var/log", "/sys", "/proc/self", "../answer", "../../data",
                           "/judge/input", "/judge/answer", "/.slot/0", "/.slot/proc", "/program/../data", "/run",
                           "/boot", "/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/tty", "/etc/ssh"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        print_outcome(names[i], open(names[i], O_RDONLY));
    }
}
