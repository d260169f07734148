#include "outcomes.h"

int main(int argc, char **argv) {
    (void)argc;
    symlink(argv[1], "output.txt");
    symlink("/etc/shadow", "shadow");
    symlink("/", "root");
    symlink("..", "up");
    mkfifo("pipe", 0666);
    mkdir("closed", 0700);
    close(open("closed/inside", O_WRONLY | O_CREAT, 0666));
    chmod("closed", 0000);
    close(open("plain", O_WRONLY | O_CREAT, 0604));
    link("plain", "second name");
    close(open("a\nb\xff", O_WRONLY | O_CREAT, 06777));
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name);
    dprintf(1, "done\n");
}
