/* Fails on anything but a number. */
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
    long right, said;
    assert(argc > 2);
    FILE *answer = fopen(argv[2], "r");
    assert(fscanf(answer, "%ld", &right) == 1);
    assert(scanf("%ld", &said) == 1);
    return said == right ? 42 : 43;
}
