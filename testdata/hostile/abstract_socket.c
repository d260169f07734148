#include "outcomes.h"

int main(int argc, char **argv) {
    (void)argc;
    struct sockaddr_un host = {.sun_family = AF_UNIX};
    strcpy(host.sun_path + 1, argv[1]);
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[1]);
    refused("connect", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&host, length));
    strcpy(host.sun_path, "/run/docker.sock");
    refused("docker", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&host, sizeof host));
}
