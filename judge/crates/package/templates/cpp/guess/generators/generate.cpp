// Generates one number.
//
// usage: generate --low L --high H SEED

#include <iostream>
#include <map>
#include <random>
#include <string>

int main(int argc, char** argv) {
    std::map<std::string, long long> option;
    for (int i = 1; i + 1 < argc; i += 2) option[argv[i]] = std::stoll(argv[i + 1]);
    const long long low = option.at("--low"), high = option.at("--high");
    // The standard fixes its output, so the same seed gives the same number everywhere.
    std::mt19937_64 random(std::stoull(argv[argc - 1]));
    std::cout << low + static_cast<long long>(random() % (high - low + 1)) << '\n';
}
