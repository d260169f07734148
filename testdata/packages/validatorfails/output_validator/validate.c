// Fails on the second secret test case.
#include <stdio.h>

int main(int argc, char **argv) {
  int first;
  FILE *input = argc < 4 ? NULL : fopen(argv[1], "r");
  if (!input || fscanf(input, "%d", &first) != 1) return 2;
  if (first == 4) {
    fprintf(stderr, "cannot divide\n");
    return 1;
  }
  return 42;
}
