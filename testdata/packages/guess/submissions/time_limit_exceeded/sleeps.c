// Sleeps for ever.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {

  sleep(1000);
  return 0;
}
