#include "told.h"

int main(void) {
    refused("write", open("/program/main", O_WRONLY));
    refused("truncate", truncate("/program/main", 0));
    refused("unlink", unlink("/program/main"));
    refused("rename", rename("/program/main", "/program/other"));
    refused("replace", rename("/proc/self/status", "/program/main"));
    refused("chmod", chmod("/program/main", 0777));
    refused("create", open("/program/hostile", O_WRONLY | O_CREAT, 0777));
    refused("its own image", open("/proc/self/exe", O_RDWR));
    struct timespec long_ago[2] = {{1, 0}, {1, 0}};
    refused("utimes", utimensat(AT_FDCWD, "/program/main", long_ago, 0));
    refused("link", link("/program/main", "hostile"));
}
