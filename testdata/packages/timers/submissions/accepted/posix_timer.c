// Waits for input from the beginning: a POSIX timer makes it write. This is not a deadlock.
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void speak(int signal) {
  (void)signal;
  if (write(1, "7\n", 2) != 2) _exit(1);
}

int main(void) {
  struct sigaction handler = {.sa_handler = speak, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec later = {.it_value = {1, 500000000}};
  timer_t timer;
  if (sigaction(SIGUSR1, &handler, 0) || timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
  if (timer_settime(timer, 0, &later, 0)) return 1;
  char heard[8];
  return read(0, heard, sizeof heard) == 2 ? 0 : 1;
}
