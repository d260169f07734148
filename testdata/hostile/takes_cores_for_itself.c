#include "outcomes.h"

int main(void) {
    for (int scope = 0; scope < 3; scope++) {
        print_outcome("PR_SCHED_CORE_CREATE", prctl(62 /* PR_SCHED_CORE */, 1, 0, scope, 0));
        print_outcome("PR_SCHED_CORE_SHARE_TO", prctl(62, 2, 0, scope, 0));
        print_outcome("PR_SCHED_CORE_SHARE_FROM", prctl(62, 3, getppid(), scope, 0));
    }
    print_outcome("PR_SET_MEMORY_MERGE", prctl(67, 1, 0, 0, 0));
    print_outcome("PR_SET_MM", prctl(PR_SET_MM, PR_SET_MM_BRK, program, 0, 0) < 0 ? 0 : -1);
}
