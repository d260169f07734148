#include <gmp.h>
int main(void) { return 3; }
