// Writes nothing more, but does not end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  close(1);
  sleep(100);
  return 0;
}
