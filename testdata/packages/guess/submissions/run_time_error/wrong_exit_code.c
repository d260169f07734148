// Is right, but ends with exit code 1.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  int low = 1, high = 1000;
  char answer[20] = "";
  while (strcmp(answer, "correct") != 0) {
    int middle = (low + high) / 2;
    printf("%d\n", middle);
    fflush(stdout);
    if (scanf("%19s", answer) != 1) return 1;
    if (strcmp(answer, "higher") == 0) low = middle + 1;
    if (strcmp(answer, "lower") == 0) high = middle - 1;
  }
  return 3;
}
