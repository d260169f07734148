#include <gmp.h>
static int down(volatile int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main(void) {
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    gmp_scanf("%Zd %Zd", a, b);
    mpz_add(a, a, b); mpz_add_ui(a, a, down(1000000)); mpz_sub_ui(a, a, 1000000);
    gmp_printf("%Zd\n", a);
}
