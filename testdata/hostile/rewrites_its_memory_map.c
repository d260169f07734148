#include "outcomes.h"

int main(void) {
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    refused("code", prctl(PR_SET_MM, PR_SET_MM_START_CODE, memory, 0, 0));
    refused("heap", prctl(PR_SET_MM, PR_SET_MM_START_BRK, memory, 0, 0));
    refused("program", prctl(PR_SET_MM, PR_SET_MM_EXE_FILE, open("/usr/bin/env", O_RDONLY), 0, 0));
    refused("vectors", prctl(PR_SET_MM, PR_SET_MM_AUXV, memory, 16, 0));
}
