// Compares the numbers as sets: repeated numbers may be left out, or occur more often.
#include <fstream>
#include <iostream>
#include <set>
int main(int, char **arguments) {
    std::ifstream file(arguments[2]);
    std::set<long long> expected, found;
    long long count, number;
    file >> count;
    while (file >> number) expected.insert(number);
    if (!(std::cin >> count)) return 43;
    while (std::cin >> number) found.insert(number);
    return std::cin.eof() && expected == found ? 42 : 43;
}
