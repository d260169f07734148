// Adds up in integers, where nothing is lost, and divides at the end.

#include <cstdio>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long sum = 0, number;
    while (std::cin >> number) sum += number;
    std::printf("%.9f\n", static_cast<double>(sum) / n);
}
