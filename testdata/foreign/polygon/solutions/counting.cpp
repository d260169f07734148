#include <iostream>
int main() {
    long long a, b;
    std::cin >> a >> b;
    volatile long long sum = a;
    while (b-- > 0) sum = sum + 1;
    std::cout << sum << "\n";
}
