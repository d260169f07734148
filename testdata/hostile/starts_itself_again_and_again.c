#include "outcomes.h"

int main(int argc, char **argv) {
    int round = argc > 1 ? atoi(argv[1]) : 0;
    burn(0.005);
    char text[16];
    snprintf(text, sizeof text, "%d", round + 1);
    if (round < 400) {
        execl(program(), program(), text, NULL);
    }
}
