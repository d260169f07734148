#include "outcomes.h"

int main(void) {
    if (vfork() == 0) {
        alarm(5);
        pause();
        _exit(0);
    }
}
