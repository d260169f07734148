#include "told.h"

int main(void) { return 0; }
