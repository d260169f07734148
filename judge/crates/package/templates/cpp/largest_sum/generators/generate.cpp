// Generates lists of numbers.
//
// usage: generate --count N --low L --high H SEED
//
// N numbers from L to H, both included. The same seed gives the same numbers everywhere: the standard fixes the output
// of std::mt19937_64, but not that of its distributions.

#include <iostream>
#include <map>
#include <random>
#include <string>

int main(int argc, char** argv) {
    std::map<std::string, long long> option;
    for (int i = 1; i + 1 < argc; i += 2) option[argv[i]] = std::stoll(argv[i + 1]);
    const long long count = option.at("--count"), low = option.at("--low"), high = option.at("--high");
    std::mt19937_64 random(std::stoull(argv[argc - 1]));

    std::cout << count << '\n';
    for (int i = 0; i < count; i++) {
        const long long number = low + static_cast<long long>(random() % (high - low + 1));
        std::cout << (i > 0 ? " " : "") << number;
    }
    std::cout << '\n';
}
