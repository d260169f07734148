// Wrong: too few decimals.

#include <cstdio>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long sum = 0, number;
    while (std::cin >> number) sum += number;
    std::printf("%.2f\n", static_cast<double>(sum) / n);
}
