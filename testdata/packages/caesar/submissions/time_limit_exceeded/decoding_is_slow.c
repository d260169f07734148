// Encodes correctly, and computes for ever when it has to decode.
#include <stdio.h>

int main(void) {
  char asked[20], word[100];
  if (scanf("%19s %99s", asked, word) != 2) return 1;
  for (volatile int i = 0; asked[0] == 'd'; i = i + 1) {}
  for (char *letter = word; *letter; letter++) *letter = (*letter - 'a' + 13) % 26 + 'a';
  puts(word);
}
