// Wrong: guesses one number after the other.

#include <iostream>
#include <string>

int main() {
    for (int guess = 1;; guess++) {
        std::cout << guess << std::endl;
        std::string answer;
        if (!(std::cin >> answer) || answer == "correct") return 0;
    }
}
