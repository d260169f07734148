#include "outcomes.h"

int main(void) {
    void *space = mmap(NULL, 100L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    print_outcome("reserve", space == MAP_FAILED ? -1 : 0);
}
