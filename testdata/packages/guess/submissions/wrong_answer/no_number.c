// Writes something other than a number, and waits for an answer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  puts("five");
  fflush(stdout);
  return getchar() == EOF ? 0 : 1;
}
