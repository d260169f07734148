#include "outcomes.h"

int main(void) {
    for (int i = 0; i < 6; i++) {
        if (fork() == 0) {
            setsid();
            break;
        }
    }
    idle();
}
