// Tries every beginning and every end.

#include <algorithm>
#include <climits>
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<long long> numbers(n);
    for (long long& number : numbers) std::cin >> number;
    long long best = LLONG_MIN;
    for (int begin = 0; begin < n; begin++) {
        long long sum = 0;
        for (int end = begin; end < n; end++) {
            sum += numbers[end];
            best = std::max(best, sum);
        }
    }
    std::cout << best << '\n';
}
