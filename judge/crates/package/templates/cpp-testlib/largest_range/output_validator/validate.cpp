// Accepts every choice with the largest sum, not only that of the answer.

#include "testlib.h"

#include <numeric>

int main(int argc, char** argv) {
    registerTestlibCmd(argc, argv);
    const int n = inf.readInt();
    const std::vector<int> numbers = inf.readInts(n);
    // No sum of 100 numbers is larger.
    const long long limit = 100'000'000'000;
    const long long largest = ans.readLong(-limit, limit, "the largest sum");

    const long long claimed = ouf.readLong(-limit, limit, "the sum");
    const int first = ouf.readInt(1, n, "the first position");
    const int last = ouf.readInt(first, n, "the last position");
    if (!ouf.seekEof()) quitf(_wa, "there is more behind the positions");

    const long long sum = std::accumulate(numbers.begin() + first - 1, numbers.begin() + last, 0LL);
    if (claimed != sum) quitf(_wa, "the numbers from %d to %d have the sum %lld, not %lld", first, last, sum, claimed);
    if (sum > largest) quitf(_fail, "the submission found the sum %lld, and the answer only %lld", sum, largest);
    if (sum < largest) quitf(_wa, "the sum %lld is not the largest, which is %lld", sum, largest);
    quitf(_ok, "the largest sum is %lld", sum);
}
