// Asks for too many numbers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char answer[20] = "";
  for (int i = 2; strcmp(answer, "correct") != 0; i++) {
    printf("%d\n", i);
    fflush(stdout);
    if (scanf("%19s", answer) != 1) return 1;
  }
  return 0;
}
