// Solves the first group only: it has space for ten numbers.

#include <algorithm>
#include <array>
#include <climits>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    std::array<long long, 10> numbers{};
    // `at` ends the program if there is no space.
    for (int i = 0; i < n; i++) std::cin >> numbers.at(i);
    long long best = LLONG_MIN;
    for (int begin = 0; begin < n; begin++) {
        long long sum = 0;
        for (int end = begin; end < n; end++) {
            sum += numbers.at(end);
            best = std::max(best, sum);
        }
    }
    std::cout << best << '\n';
}
