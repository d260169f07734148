#include <gmpxx.h>
#include <iostream>
#include <vector>
int main() {
    mpz_class a, b, product = 1;
    std::cin >> a >> b;
    for (int i = 1; i < 10000; i++) product *= i;
    std::cout << mpz_class((a * product + b * product) / product) << "\n";
}
