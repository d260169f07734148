// Asks for the double of three numbers that begin with that of the input.
#include "testlib.h"

int main(int argc, char **argv) {
  int first, doubled;
  register_interactor(argc, argv);
  if (fscanf(inf, "%d", &first) != 1) quit(FAIL_EXIT_CODE, "no number");
  for (int number = first; number < first + 3; number++) {
    printf("%d\n", number);
    fflush(stdout);
    if (fscanf(ouf, "%d", &doubled) != 1) quit(WA_EXIT_CODE, "nothing was said");
    if (doubled == -1) quit_points(1, "points where there are none");
    if (doubled != 2 * number) quit(WA_EXIT_CODE, "not <the> double");
    fprintf(tout, "%d\n", doubled);
  }
  printf("0\n");
  quit(OK_EXIT_CODE, "all doubled");
}
