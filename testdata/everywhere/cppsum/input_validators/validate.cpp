#include <cctype>
#include <iostream>
#include <string>
int number() {
    std::string digits;
    for (char c; std::isdigit(std::cin.peek()) && digits.size() < 4 && std::cin.get(c);) digits += c;
    return digits.empty() || digits.size() > 3 || (digits.size() > 1 && digits[0] == '0') ? -1 : std::stoi(digits);
}
int main() {
    bool good = number() >= 0 && std::cin.get() == ' ' && number() >= 0 && std::cin.get() == '\n';
    return good && std::cin.get() == EOF ? 42 : 43;
}
