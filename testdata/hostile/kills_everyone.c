#include "outcomes.h"

int main(void) {
    kill(-1, SIGKILL);
    kill(1, SIGKILL);
    kill(1, SIGSTOP);
    kill(getppid(), SIGKILL);
    usleep(20000);
    dprintf(1, "alive below %d\n", getppid());
}
