#include "outcomes.h"

int main(void) {
    char byte;
    dprintf(1, "x");
    int again = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK);
    refused("steal", again < 0 ? -1 : 0);
    refused("terminal", open("/dev/stdout", O_RDWR) < 0 ? -1 : 0);
    read(again, &byte, 1);
}
