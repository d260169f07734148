// Right, but writes debugging text to standard output: before, between and after the tokens that it reads.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc < 3) return 1;
    std::ifstream answer(argv[2]);
    long long expected;
    if (!(answer >> expected)) return 1;
    std::cout << "expected: " << expected << std::endl;
    std::string token, rest;
    std::cin >> token;
    std::cout << "token of " << token.size() << " letters" << std::endl;
    std::cin >> rest;
    std::cout << "rest of " << rest.size() << " letters" << std::endl;
    return token == std::to_string(expected) && rest.empty() ? 42 : 43;
}
