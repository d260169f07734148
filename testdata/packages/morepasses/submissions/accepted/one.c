// Right in every pass: it is the validator's fault that there is no last one.
#include <stdio.h>

int main(void) { puts("1"); }
