#include "testlib.h"

int main(int argc, char **argv) {
  int input, expected, found;
  register_checker(argc, argv);
  if (fscanf(inf, "%d", &input) != 1 || fscanf(ans, "%d", &expected) != 1) quit(FAIL_EXIT_CODE, "no numbers");
  if (fscanf(ouf, "%d", &found) != 1 || found != expected) quit(WA_EXIT_CODE, "not <the> number");
  quit(OK_EXIT_CODE, "the number");
}
