#include <stdio.h>
static int down(volatile int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\n", a + b + down(1000000) - 1000000); }
