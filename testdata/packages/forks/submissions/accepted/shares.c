// Has 40 MiB, which it shares with as many children as the input says: together they use no more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int children;
  size_t size = (size_t)40 << 20;
  char *block = malloc(size);
  if (!block || scanf("%d", &children) != 1) return 1;
  memset(block, 1, size);
  for (int i = 0; i < children; i++) {
    pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) {
      usleep(500000);
      _exit(block[i] - 1);
    }
  }
  while (wait(0) > 0) {}
  printf("%d\n", children);
}
