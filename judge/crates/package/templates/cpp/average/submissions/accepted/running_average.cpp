// Keeps the average of the numbers read so far.

#include <cstdio>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    double average = 0;
    for (int i = 1; i <= n; i++) {
        double number;
        std::cin >> number;
        average += (number - average) / i;
    }
    std::printf("%.9f\n", average);
}
