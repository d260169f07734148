#include <stdio.h>

int main(void) {
  char name[100];
  int number;
  if (scanf("%99s", name) != 1) return 1;
  FILE *file = fopen(name, "r");
  if (!file || fscanf(file, "%d", &number) != 1) return 2;
  printf("%d\n", number);
}
