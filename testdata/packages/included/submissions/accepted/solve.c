#include "solve.h"

int times(int number, int factor) { return number * factor; }
