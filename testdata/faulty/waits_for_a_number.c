/* Tries for ever to read a missing number. */
#include <stdio.h>
int main(int argc, char **argv) {
    int answer, output;
    char rest[2];
    FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (!file || fscanf(file, "%d", &answer) != 1) return 1;
    while (scanf("%d", &output) != 1) { }
    return output == answer && scanf("%1s", rest) != 1 ? 42 : 43;
}
