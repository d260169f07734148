// Encodes correctly, and crashes when it has to decode.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char asked[20], word[100];
  if (scanf("%19s %99s", asked, word) != 2 || asked[0] == 'd') abort();
  for (char *letter = word; *letter; letter++) *letter = (*letter - 'a' + 13) % 26 + 'a';
  puts(word);
}
