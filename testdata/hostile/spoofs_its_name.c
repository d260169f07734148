#include "outcomes.h"

int main(void) {
    prctl(PR_SET_NAME, ") R 1 1 1 0");
    spin();
}
