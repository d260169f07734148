#include <stdio.h>

int main(int argc, char **argv) {
  int expected, found;
  FILE *answer = argc > 3 ? fopen(argv[2], "r") : 0;
  if (!answer || fscanf(answer, "%d", &expected) != 1) return 1;
  return scanf("%d", &found) == 1 && found == expected ? 42 : 43;
}
