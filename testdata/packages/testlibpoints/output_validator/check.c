// Ten points for the number, and one less for each that it is off.
#include "testlib.h"

int main(int argc, char **argv) {
  int expected, found;
  register_checker(argc, argv);
  if (fscanf(ans, "%d", &expected) != 1) quit(FAIL_EXIT_CODE, "no number");
  if (fscanf(ouf, "%d", &found) != 1) quit(WA_EXIT_CODE, "no number");
  if (found == expected) quit(OK_EXIT_CODE, "the number");
  if (abs(found - expected) > 9) quit(WA_EXIT_CODE, "far off");
  quit_points(10.5 - abs(found - expected), "not far off");
}
