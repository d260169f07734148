// Sends two numbers one by one, and expects their sum, in each round. The answer file has the number of rounds.
#include <stdio.h>

int main(int argc, char **argv) {
  char path[4096], word[20];
  int round, rounds, sum;
  FILE *input = fopen(argv[1], "r"), *answer = fopen(argv[2], "r");
  if (argc < 4 || fscanf(input, "%d", &round) != 1 || fscanf(answer, "%d", &rounds) != 1) return 1;
  printf("%d\n", round);
  fflush(stdout);
  if (scanf("%19s", word) != 1) return 43;
  printf("%d\n", 10 * round);
  fflush(stdout);
  if (scanf("%d", &sum) != 1 || sum != 11 * round) return 43;
  if (round < rounds) {
    snprintf(path, sizeof path, "%snextpass.in", argv[3]);
    FILE *next = fopen(path, "w");
    if (!next || fprintf(next, "%d\n", round + 1) < 0 || fclose(next) != 0) return 1;
  }
  return 42;
}
