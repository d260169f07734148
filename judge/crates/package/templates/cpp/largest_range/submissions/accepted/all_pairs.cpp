// Tries every beginning and every end.

#include <climits>
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<long long> numbers(n);
    for (long long& number : numbers) std::cin >> number;
    long long best = LLONG_MIN;
    int best_first = 0, best_last = 0;
    for (int first = 0; first < n; first++) {
        long long sum = 0;
        for (int last = first; last < n; last++) {
            sum += numbers[last];
            if (sum < best) continue;
            best = sum;
            best_first = first + 1;
            best_last = last + 1;
        }
    }
    std::cout << best << '\n' << best_first << ' ' << best_last << '\n';
}
