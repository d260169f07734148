/* Reads one number of the output and ignores the rest. */
#include <stdio.h>
int main(int argc, char **argv) {
    long answer, output;
    FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (!file || fscanf(file, "%ld", &answer) != 1) return 1;
    return scanf("%ld", &output) == 1 && output == answer ? 42 : 43;
}
