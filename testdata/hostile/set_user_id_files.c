#include "outcomes.h"

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "again") == 0) {
        dprintf(1, "%s\n", geteuid() == getuid() && geteuid() != 0 ? "no privilege" : "SUCCEEDED");
        return 0;
    }
    int from = open(program(), O_RDONLY), to = open("hostile", O_WRONLY | O_CREAT, 0755);
    static char block[1 << 16];
    for (long count; (count = read(from, block, sizeof block)) > 0;) {
        write(to, block, count);
    }
    close(to);
    refused("chown", chown("hostile", 0, 0));
    chmod("hostile", 06755);
    refused("mknod", mknod("device", S_IFBLK | 0666, 0x800));
    refused("device", open("device", O_RDONLY));
    execl("hostile", "hostile", "again", NULL);
    print_outcome("execve", -1);
}
