#include "outcomes.h"

int main(void) {
    refused("add_key", syscall(SYS_add_key, "user", "hostile", "x", 1, -4));
    refused("request_key", syscall(SYS_request_key, "user", "hostile", NULL, -4));
    refused("keyctl", syscall(SYS_keyctl, 0, -4, 1));
}
