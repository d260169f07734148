#include "outcomes.h"

int main(void) {
    int tool = open("/usr/bin/env", O_RDONLY);
    void *shared = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, tool, 0);
    void *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    print_outcome("merge", madvise(own, 4096, MADV_MERGEABLE));
    print_outcome("cold", madvise(shared, 4096, 20 /* MADV_COLD */));
    print_outcome("out of memory", madvise(shared, 4096, 21 /* MADV_PAGEOUT */));
    print_outcome("collapse", madvise(shared, 4096, 25 /* MADV_COLLAPSE */));
    print_outcome("its own", madvise(own, 4096, MADV_DONTNEED));
    /* As for unmapped memory: no disk is accessed. */
    print_outcome("msync", msync((void *)4096, 4096, MS_SYNC));
    print_outcome("msync later", msync((void *)4096, 4096, MS_ASYNC));
}
