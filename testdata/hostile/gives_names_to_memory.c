#include "outcomes.h"

int main(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    print_outcome("a name", prctl(0x53564d41 /* PR_SET_VMA */, 0, page, 4096, "hostile"));
    print_outcome("a table of its own for locks", prctl(78 /* PR_FUTEX_HASH */, 1, 4096, 0, 0));
}
