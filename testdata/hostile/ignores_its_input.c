#include "told.h"

int main(void) { dprintf(1, "42\n"); }
