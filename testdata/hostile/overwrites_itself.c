#include "outcomes.h"

int main(void) {
    refused("write", open(program(), O_WRONLY));
    refused("truncate", truncate(program(), 0));
    refused("unlink", unlink(program()));
    refused("rename", rename(program(), beside("other")));
    refused("replace", rename("/proc/self/status", program()));
    refused("chmod", chmod(program(), 0777));
    refused("create", open(beside("hostile"), O_WRONLY | O_CREAT, 0777));
    refused("its own image", open("/proc/self/exe", O_RDWR));
    struct timespec long_ago[2] = {{1, 0}, {1, 0}};
    refused("utimes", utimensat(AT_FDCWD, program(), long_ago, 0));
    refused("link", link(program(), "hostile"));
}
