// Generates lists of numbers.
//
// usage: generate --count N --low L --high H SEED
//
// N numbers from L to H, both included. All arguments together are the seed of `rnd`; the last one has no
// other purpose.

#include "testlib.h"

int main(int argc, char** argv) {
    registerGen(argc, argv, 1);
    const int count = opt<int>("count"), low = opt<int>("low"), high = opt<int>("high");
    std::vector<int> numbers(count);
    for (int& number : numbers) number = rnd.next(low, high);
    println(count);
    println(numbers);
}
