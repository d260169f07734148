#include "outcomes.h"

int main(void) { raise(SIGXCPU); }
