#include "told.h"

int main(void) { spin(); }
