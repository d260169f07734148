// Halves the possible numbers with each guess.

#include <iostream>
#include <string>

int main() {
    int low = 1, high = 1000;
    while (true) {
        const int guess = (low + high) / 2;
        // std::endl flushes: otherwise the guess does not arrive.
        std::cout << guess << std::endl;
        std::string answer;
        if (!(std::cin >> answer) || answer == "correct") return 0;
        if (answer == "higher") low = guess + 1;
        if (answer == "lower") high = guess - 1;
    }
}
