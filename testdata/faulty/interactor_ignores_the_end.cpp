// Keeps answering when there are no more questions.
#include <cstdio>
int main(int, char **argv) {
    int secret, guess = -1;
    FILE *file = fopen(argv[1], "r");
    if (!file || fscanf(file, "%d", &secret) != 1) return 1;
    while (guess != secret) {
        scanf("%d", &guess);
        puts(guess < secret ? "higher" : guess > secret ? "lower" : "correct");
        fflush(stdout);
    }
    return 42;
}
