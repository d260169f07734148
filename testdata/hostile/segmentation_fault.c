#include "outcomes.h"

int main(void) { return *(volatile int *)8; }
