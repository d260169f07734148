// Computes the largest sum that ends at each place: the sum that ends before it is extended if it is positive.

#include <climits>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long best = LLONG_MIN, ending_here = 0, number;
    int best_first = 0, best_last = 0, first = 1;
    for (int last = 1; std::cin >> number; last++) {
        if (ending_here < 0) {
            ending_here = 0;
            first = last;
        }
        ending_here += number;
        if (ending_here <= best) continue;
        best = ending_here;
        best_first = first;
        best_last = last;
    }
    std::cout << best << '\n' << best_first << ' ' << best_last << '\n';
}
