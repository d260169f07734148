#include "outcomes.h"

int main(void) {
    for (int signal = 1; signal < 65; signal++) {
        kill(getppid(), signal);
    }
    int init = syscall(SYS_pidfd_open, 1, 0);
    syscall(SYS_pidfd_send_signal, init, SIGKILL, NULL, 0);
    syscall(SYS_pidfd_send_signal, init, SIGSTOP, NULL, 0);
    usleep(20000);
    dprintf(1, "alive\n");
}
