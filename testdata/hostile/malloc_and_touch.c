#include "outcomes.h"

int main(void) {
    for (long taken = 0; taken < MOST_MEMORY; taken += MIB) {
        char *block = malloc(MIB);
        if (block == NULL) {
            return 3;
        }
        touch(block, MIB);
    }
}
