// Wrong: expects the second run to remember the number, but it receives only the word.

#include <iostream>
#include <string>

int number = 1;

int main() {
    std::string task, word;
    std::cin >> task >> word;
    if (task == "send") {
        number = std::stoi(word);
        std::cout << "word\n";
    } else {
        std::cout << number << '\n';
    }
}
