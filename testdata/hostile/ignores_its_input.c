#include "outcomes.h"

int main(void) { dprintf(1, "42\n"); }
