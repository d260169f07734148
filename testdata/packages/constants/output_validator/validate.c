#include <stdio.h>
#include <string.h>

#include "names.h"

/* Braces of other kinds stay: {{1,2}}, {{ limit }}, {{unknown}}. */
static const int pairs[2][2] = {{1, 2}, {{{limit}}, {{limit}}}};
static const char *unknown = "{{unknown}}";

int main(void) {
  char word[100];
  int number;
  if (strlen(unknown) != 11 || pairs[0][1] != 2) return 1;
  return scanf("%99s %d", word, &number) == 2 && strcmp(word, NAME) == 0 && number == {{limit}} ? 42 : 43;
}
