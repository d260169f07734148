#include "outcomes.h"

int main(void) {
    for (int clock = 0; clock < 12; clock++) {
        struct timespec now;
        if (clock != 10 && clock != 8 && clock != 9) {
            print_outcome("clock", clock_gettime(clock, &now));
        }
    }
#ifdef __x86_64__
    dprintf(1, "counter: %s\n", __builtin_ia32_rdtsc() > 0 ? "ok" : "0");
#else
    dprintf(1, "counter: ok\n");
#endif
}
