#include "told.h"

int main(void) { idle(); }
