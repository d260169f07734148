/* Accepts only the sum. */
#include <stdio.h>

int main(int argc, char **argv) {
    long right, said;
    FILE *answer = argc > 2 ? fopen(argv[2], "r") : 0;
    if (!answer || fscanf(answer, "%ld", &right) != 1) return 1;
    return scanf("%ld", &said) == 1 && said == right ? 42 : 43;
}
