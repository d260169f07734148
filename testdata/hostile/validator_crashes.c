#include "told.h"

int main(void) { abort(); }
