// Wrong: the second run only knows the word of the first.

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
