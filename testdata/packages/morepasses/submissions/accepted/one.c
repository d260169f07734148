// Right in every pass: that there is no last one is the validator's fault.
#include <stdio.h>

int main(void) { puts("1"); }
