#include "outcomes.h"

int main(int argc, char **argv) {
    if (argc > 1000) {
        dprintf(1, "SUCCEEDED\n");
        return 0;
    }
    static char text[64];
    memset(text, 'x', 63);
    static char *many[200001];
    for (int i = 0; i < 200000; i++) {
        many[i] = text;
    }
    print_outcome("execve", execv(program(), many));
    (void)argv;
}
