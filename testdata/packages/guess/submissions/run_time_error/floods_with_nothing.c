// Writes blanks beyond the output limit, which the validator reads in search of a number.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  for (;;) putchar(32);
  return 0;
}
