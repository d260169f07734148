// Always requests another pass, and is slow in each.
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char path[4096];
  if (argc < 4) return 1;
  snprintf(path, sizeof path, "%s/nextpass.in", argv[3]);
  FILE *next = fopen(path, "w");
  if (!next) return 1;
  fputs("1\n", next);
  fclose(next);
  usleep(400000);
  return 42;
}
