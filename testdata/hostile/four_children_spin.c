#include "outcomes.h"

int main(void) {
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            spin();
            _exit(0);
        }
    }
    idle();
}
