// Wrong: allows the empty sum 0, although at least one number must be chosen.

#include <algorithm>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long best = 0, ending_here = 0, number;
    while (std::cin >> number) {
        ending_here = std::max(0LL, ending_here + number);
        best = std::max(best, ending_here);
    }
    std::cout << best << '\n';
}
