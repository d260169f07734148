#include "outcomes.h"

int main(int argc, char **argv) {
    (void)argc;
    chdir(argv[3]);
    mkfifo("judgemessage.txt", 0666);
    return 42;
}
