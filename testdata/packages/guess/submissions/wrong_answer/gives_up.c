// Ends normally before it knows the number.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  puts("2");
  return 0;
}
