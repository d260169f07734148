#include "outcomes.h"

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        for (unsigned char *at = (unsigned char *)argv[i]; *at; at++) {
            dprintf(1, "%02x", *at);
        }
        dprintf(1, ".\n");
    }
}
