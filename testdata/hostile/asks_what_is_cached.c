#include "outcomes.h"

int main(void) {
    struct { uint64_t offset, length; } all = {0, 0};
    uint64_t counted[5] = {0};
    int fd = open(beside("large"), O_RDONLY);
    print_outcome("cachestat", syscall(451, fd, &all, counted, 0));
    unsigned char pages[2048] = {0};
    void *memory = mmap(NULL, 8 * MIB, PROT_READ, MAP_SHARED, fd, 0);
    /* The kernel would answer for files of the caller: if programs have the judge's user, for all its files. */
    print_outcome("mincore", mincore(memory, 8 * MIB, pages));
}
