// Writes 20 MiB into a file, or to standard output, as the input says.
#include <stdio.h>
#include <string.h>

static char block[1 << 20];

int main(int argc, char **argv) {
  FILE *input = argc < 4 ? NULL : fopen(argv[1], "r");
  if (!input) return 1;
  FILE *large = getc(input) == 'f' ? fopen("large", "w") : stdout;
  if (!large) return 1;
  memset(block, '\n', sizeof block);
  for (int i = 0; i < 20; i++) fwrite(block, 1, sizeof block, large);
  return 42;
}
