#include "told.h"

int main(void) { raise(SIGKILL); }
