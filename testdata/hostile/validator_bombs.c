#include "outcomes.h"

int main(void) {
    for (int i = 0; i < 8; i++) {
        fork();
    }
    spin();
    return 42;
}
