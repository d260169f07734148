// Compares the first number of both.
#include "testlib.h"
#include <cstdio>

int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    FILE *output = fopen(argv[2], "r"), *answer = fopen(argv[3], "r");
    long long found, expected;
    if (fscanf(answer, "%lld", &expected) != 1) return FAIL_EXIT_CODE;
    if (fscanf(output, "%lld", &found) == 1 && found == expected) return OK_EXIT_CODE;
    fprintf(stderr, "wrong answer expected %lld\n", expected);
    return WA_EXIT_CODE;
}
