#include "outcomes.h"

int main(void) {
    char byte;
    print_outcome("read", read(0, &byte, 1));
    refused("write", write(0, "hostile", 7));
    int again = open("/proc/self/fd/0", O_RDWR);
    refused("write otherwise", again < 0 ? -1 : write(again, "hostile", 7));
    refused("truncate otherwise", again < 0 ? -1 : ftruncate(again, 0));
    refused("truncate", ftruncate(0, 0));
    refused("map", (long)mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, 0, 0));
}
