#include "outcomes.h"

int main(int argc, char **argv) {
    chdir(argv[3]);
    symlink(argv[argc - 1], "judgemessage.txt");
    return 43;
}
