// Writes nothing before it receives a number, and then that number.
#include <stdio.h>

int main(void) {
  int said;
  if (scanf("%d", &said) != 1) return 43;
  printf("%d\n", said);
  return 42;
}
