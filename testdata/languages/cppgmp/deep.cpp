#include <gmpxx.h>
#include <iostream>
int down(volatile int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main() { mpz_class a, b; std::cin >> a >> b; std::cout << mpz_class(a + b + down(1000000) - 1000000) << "\n"; }
