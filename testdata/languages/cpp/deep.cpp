#include <iostream>
int down(volatile int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main() { int a, b; std::cin >> a >> b; std::cout << a + b + down(1000000) - 1000000 << "\n"; }
