/* Divides by a number from the submission. */
#include <stdio.h>
int main(int argc, char **argv) {
    int secret, guess;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file || fscanf(file, "%d", &secret) != 1) return 1;
    for (int turn = 0; turn < 10; turn++) {
        if (scanf("%d", &guess) != 1) return 43;
        printf("%d\n", secret % guess);
        fflush(stdout);
        if (guess == secret) return 42;
    }
    return 43;
}
