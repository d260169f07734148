#include "outcomes.h"

int main(void) {
    void *pages = mmap(NULL, 8 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    refused("mmap", pages == MAP_FAILED ? -1 : 0);
    int fd = memfd_create("hostile", MFD_HUGETLB);
    void *shared = fd < 0 ? MAP_FAILED : mmap(NULL, 8 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    print_outcome("memfd", fd);
    refused("its pages", shared == MAP_FAILED ? -1 : 0);
}
