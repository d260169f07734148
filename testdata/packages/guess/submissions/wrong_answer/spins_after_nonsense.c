// Writes something wrong and computes for ever.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  puts("five");
  fflush(stdout);
  for (volatile int i = 0;; i = i + 1) {}
}
