#include "outcomes.h"

int main(void) {
    void *memory = mmap(NULL, MOST_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, MOST_MEMORY, 23 /* MADV_POPULATE_WRITE */);
    touch(memory, MOST_MEMORY);
    idle();
}
