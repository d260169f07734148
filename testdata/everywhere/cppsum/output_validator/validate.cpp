#include <fstream>
#include <iostream>
#include <string>
int main(int, char **arguments) {
    std::ifstream answer(arguments[2]);
    int right;
    std::string found, more;
    answer >> right;
    return std::cin >> found && !(std::cin >> more) && found == std::to_string(right) ? 42 : 43;
}
