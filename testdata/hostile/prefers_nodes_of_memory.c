#include "outcomes.h"

int main(void) {
    unsigned long node = 1;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    print_outcome("mbind", syscall(SYS_mbind, page, 4096, 1 /* MPOL_PREFERRED */, &node, 2, 0));
    print_outcome("set_mempolicy", syscall(SYS_set_mempolicy, 1, &node, 2));
    print_outcome("get_mempolicy", syscall(SYS_get_mempolicy, NULL, NULL, 0, NULL, 0));
    print_outcome("migrate_pages", syscall(SYS_migrate_pages, 0, 2, &node, &node));
    print_outcome("move_pages", syscall(SYS_move_pages, 0, 1, &page, NULL, &(int){0}, 0));
}
