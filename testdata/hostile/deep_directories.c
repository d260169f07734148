#include "outcomes.h"

int main(void) {
    int depth = 0;
    while (depth < 4000 && mkdir("hostile", 0700) == 0 && chdir("hostile") == 0) {
        depth++;
    }
    dprintf(1, "depth: %d\n", depth);
}
