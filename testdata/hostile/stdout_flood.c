#include "outcomes.h"

int main(void) {
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (long written = 0; written < MOST_MEMORY; written += sizeof block) {
        write(1, block, sizeof block);
    }
}
