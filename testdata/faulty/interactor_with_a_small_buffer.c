/* Reads words of any length into 16 bytes, and checks the length too late. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int secret;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file || fscanf(file, "%d", &secret) != 1) return 1;
    static char line[1 << 16];
    for (int turn = 0; turn < 10; turn++) {
        char word[16] = "";
        if (!fgets(line, sizeof line, stdin)) return 43;
        if (strlen(line) >= sizeof word) abort();
        strcpy(word, line);
        int guess = atoi(word);
        puts(guess < secret ? "higher" : guess > secret ? "lower" : "correct");
        fflush(stdout);
        if (guess == secret) return 42;
    }
    return 43;
}
