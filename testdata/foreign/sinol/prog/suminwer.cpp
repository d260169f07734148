#include <iostream>

int main() {
    int a, b;
    return std::cin >> a >> b ? 0 : 1;
}
