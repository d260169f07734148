// Wrong: uses integer division.

#include <iostream>

int main() {
    long long n, sum = 0, number;
    std::cin >> n;
    while (std::cin >> number) sum += number;
    std::cout << sum / n << '\n';
}
