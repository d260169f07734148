#include "outcomes.h"

int main(void) { abort(); }
