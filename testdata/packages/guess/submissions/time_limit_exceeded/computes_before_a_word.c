// Computes for ever.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {

  for (volatile int i = 0;; i = i + 1) {}
}
