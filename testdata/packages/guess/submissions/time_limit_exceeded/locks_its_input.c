// Tries to sleep with the lock of its input's pipe: the pipe to which it moves the first answer is full.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int pair[2];
  static char block[65536];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  while (write(pair[0], block, sizeof block) > 0) {
  }
  while (write(pair[0], block, 1) > 0) {
  }
  fcntl(pair[0], F_SETFL, 0);
  puts("500");
  fflush(stdout);
  splice(0, NULL, pair[0], NULL, 4096, 0);
  pause();
}
