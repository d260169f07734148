#include <iostream>
int main() { unsigned a, b; std::cin >> a >> b; std::cout << a + b << "\n"; }
