// Adds up in integers, without loss, and divides at the end.

#include <cstdio>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long sum = 0, number;
    while (std::cin >> number) sum += number;
    std::printf("%.9f\n", static_cast<double>(sum) / n);
}
