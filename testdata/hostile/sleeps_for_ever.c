#include "outcomes.h"

int main(void) { idle(); }
