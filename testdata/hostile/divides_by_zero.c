#include "outcomes.h"

int main(void) {
    volatile int zero = 0;
    return 100 / zero;
}
