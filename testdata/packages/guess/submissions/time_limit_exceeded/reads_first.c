// Waits for the validator to begin, which waits for a guess.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char answer[20];
  scanf("%19s", answer);
  return 0;
}
