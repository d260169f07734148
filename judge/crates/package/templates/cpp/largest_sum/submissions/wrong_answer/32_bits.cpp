// Wrong: sums do not fit into 32 bits.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    std::int32_t best = INT_MIN, ending_here = 0, number;
    while (std::cin >> number) {
        // Without a sign, sums that are too large are cut off the same way everywhere.
        const std::uint32_t sum = static_cast<std::uint32_t>(number) + static_cast<std::uint32_t>(std::max(ending_here, 0));
        ending_here = static_cast<std::int32_t>(sum);
        best = std::max(best, ending_here);
    }
    std::cout << best << '\n';
}
