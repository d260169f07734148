#include "outcomes.h"
#include <linux/futex.h>

static struct { struct robust_list link; int word; } locks[2];
static struct robust_list_head head;

int main(void) {
    /* Two that follow each other in a circle, so that the list never ends. */
    for (int i = 0; i < 2; i++) {
        locks[i].link.next = &locks[1 - i].link;
        locks[i].word = (int)syscall(SYS_gettid);
    }
    head.list.next = &locks[0].link;
    head.futex_offset = sizeof locks[0].link;
    head.list_op_pending = (struct robust_list *)8;
    print_outcome("set_robust_list", syscall(SYS_set_robust_list, &head, sizeof head));
    struct robust_list_head *found = NULL;
    size_t size = 0;
    print_outcome("its own", syscall(SYS_get_robust_list, 0, &found, &size));
    refused("its parent's", syscall(SYS_get_robust_list, getppid(), &found, &size));
    _exit(0);
}
