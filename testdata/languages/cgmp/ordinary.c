#include <gmp.h>
#include <string.h>
int main(void) {
    mpz_t a, b, c;
    mpz_inits(a, b, c, NULL);
    gmp_scanf("%Zd %Zd", a, b);
    mpz_ui_pow_ui(c, 3, 1000000);
    mpz_mul(c, c, c);
    mpz_mul(a, a, c); mpz_mul(b, b, c); mpz_add(a, a, b); mpz_divexact(a, a, c);
    gmp_printf("%Zd\n", a);
}
