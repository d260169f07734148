// Wrong: four letters are too few for large numbers.

#include <iostream>
#include <string>

int main() {
    std::string task, word;
    std::cin >> task >> word;
    if (task == "send") {
        int number = std::stoi(word);
        std::string letters(4, 'a');
        for (int i = 4 - 1; i >= 0; i--, number /= 26) letters[i] = static_cast<char>('a' + number % 26);
        std::cout << letters << '\n';
    } else {
        int number = 0;
        for (char letter : word) number = number * 26 + (letter - 'a');
        std::cout << number << '\n';
    }
}
