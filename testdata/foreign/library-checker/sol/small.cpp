#include <iostream>

int main() {
    int a, b;
    std::cin >> a >> b;
    std::cout << (a < 100 ? a + b : 0) << '\n';
}
