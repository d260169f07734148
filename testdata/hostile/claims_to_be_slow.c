#include "told.h"

int main(void) { raise(SIGXCPU); }
