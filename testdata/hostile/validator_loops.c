#include "outcomes.h"

int main(void) { spin(); }
