#include "outcomes.h"

int main(void) { return 0; }
