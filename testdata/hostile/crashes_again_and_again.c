#include "outcomes.h"

int main(void) {
    for (int i = 0; i < 100; i++) {
        if (fork() == 0) {
            *(volatile int *)8 = 1;
        }
        wait(NULL);
    }
    *(volatile int *)8 = 1;
}
