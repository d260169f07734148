#include "outcomes.h"

int main(void) {
    char *block = malloc(200 * MIB);
    touch(block, 200 * MIB);
    return 42;
}
