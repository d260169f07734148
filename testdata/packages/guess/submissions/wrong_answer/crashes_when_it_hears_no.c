// Crashes because it was rejected: whoever is rejected first is wrong, not broken.
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
