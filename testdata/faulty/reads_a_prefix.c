/* `atoi` reads `5x` as 5. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char word[64], rest[2];
    int answer;
    FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (!file || fscanf(file, "%d", &answer) != 1) return 1;
    if (scanf("%63s", word) != 1 || scanf("%1s", rest) == 1) return 43;
    return atoi(word) == answer ? 42 : 43;
}
