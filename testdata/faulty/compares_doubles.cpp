// Compares integers as `double`, which has 53 bits.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
int main(int, char **argv) {
    std::string answer, output, rest;
    if (!(std::ifstream(argv[2]) >> answer)) return 1;
    if (!(std::cin >> output) || std::cin >> rest) return 43;
    if (output.find_first_not_of("0123456789") != std::string::npos) return 43;
    return strtod(output.c_str(), nullptr) == strtod(answer.c_str(), nullptr) ? 42 : 43;
}
