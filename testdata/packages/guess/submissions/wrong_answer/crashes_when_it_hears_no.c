// Crashes because it was rejected: the rejection came first, so this is WA and not RTE.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 11; i++) puts("2");
  fflush(stdout);
  while (getchar() != EOF) {}
  abort();
}
