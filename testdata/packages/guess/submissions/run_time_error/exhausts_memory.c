// Allocates until no memory is left, in the middle of the game.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  puts("2");
  fflush(stdout);
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
  return 0;
}
