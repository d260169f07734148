#include <stdio.h>

#include "limit.h"

int main(void) { printf("{{name}} %d\n", LIMIT); }
