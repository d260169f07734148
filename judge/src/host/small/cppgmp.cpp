#include <gmpxx.h>
#include <iostream>
int main() { mpz_class a, b; std::cin >> a >> b; std::cout << mpz_class(a + b) << "\n"; }
