#include "outcomes.h"

int main(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    /* Orphans that compute, and are adopted by the reaper: by this process, until it is dead too. */
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
            if (fork() == 0) {
                setsid();
                signal(SIGTERM, SIG_IGN);
                spin();
            }
            _exit(0);
        }
        if (child > 0) {
            waitpid(child, NULL, 0);
        }
    }
    spin();
}
