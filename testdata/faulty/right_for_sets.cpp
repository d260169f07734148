// Right if the answer is a set, in which repetition does not matter.
#include <fstream>
#include <iostream>
#include <set>
#include <string>
int main(int, char **arguments) {
    std::ifstream file(arguments[2]);
    std::set<std::string> expected, found;
    std::string number;
    while (file >> number) expected.insert(number);
    while (std::cin >> number) found.insert(number);
    return expected == found ? 42 : 43;
}
