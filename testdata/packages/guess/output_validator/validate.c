// Answers guesses. It only decides about guesses: `judge` observes how the submission ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *message;

static void end(int code, const char *why) {
  fprintf(message, "%s\n", why);
  fclose(message);
  exit(code);
}

int main(int argc, char **argv) {
  char path[4096];
  int secret;
  FILE *input = fopen(argv[1], "r");
  if (argc < 4 || !input || fscanf(input, "%d", &secret) != 1) return 1;
  snprintf(path, sizeof path, "%sjudgemessage.txt", argv[3]);
  message = fopen(path, "w");
  if (!message) return 1;
  for (int guesses = 0; guesses < 10; guesses++) {
    int guess;
    int read = scanf("%d", &guess);
    if (read == EOF) end(43, "no guess");
    if (read != 1) end(43, "not a number");
    if (guess == secret) {
      puts("correct");
      end(42, "found");
    }
    puts(guess < secret ? "higher" : "lower");
    fflush(stdout);
  }
  end(43, "too many guesses");
}
