// Computes the largest sum that ends at each place: the sum that ends before it is extended if it is positive.

#include <algorithm>
#include <climits>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long best = LLONG_MIN, ending_here = 0, number;
    while (std::cin >> number) {
        ending_here = number + std::max(ending_here, 0LL);
        best = std::max(best, ending_here);
    }
    std::cout << best << '\n';
}
