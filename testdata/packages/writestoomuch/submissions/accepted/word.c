// Right: what is wrong here are the validators.
#include <stdio.h>

int main(void) {
  char word[16];
  if (scanf("%15s", word) == 1) puts(word);
}
