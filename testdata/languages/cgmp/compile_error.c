#include <gmp.h>
int main(void) { mpz_undeclared(); }
