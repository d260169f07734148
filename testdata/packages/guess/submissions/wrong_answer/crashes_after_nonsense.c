// Writes something wrong and crashes immediately.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  puts("five");
  fflush(stdout);
  abort();
}
