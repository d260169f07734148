// Wrong: the sum is right, but the first position is always 1.

#include <algorithm>
#include <climits>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    long long best = LLONG_MIN, ending_here = 0, number;
    int best_last = 1;
    for (int last = 1; std::cin >> number; last++) {
        ending_here = number + std::max(ending_here, 0LL);
        if (ending_here <= best) continue;
        best = ending_here;
        best_last = last;
    }
    std::cout << best << "\n1 " << best_last << '\n';
}
