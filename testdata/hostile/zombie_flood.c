#include "outcomes.h"

int main(void) {
    int made = 0;
    while (made < MOST_PROCESSES) {
        pid_t child = fork();
        if (child == 0) {
            _exit(0);
        }
        if (child < 0) {
            break;
        }
        made++;
    }
    dprintf(1, "zombies: %d\n", made);
}
