// Accepts only inputs that follow the statement.
// Exit code 42 accepts, 43 rejects.

#include <cctype>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

int line = 1;

[[noreturn]] void reject(const std::string& why) {
    std::cerr << "line " << line << ": " << why << '\n';
    std::exit(43);
}

// A character in words, so that spaces and ends of lines are visible.
std::string shown(int character) {
    if (character == EOF) return "the end of the file";
    if (character == '\n') return "the end of the line";
    if (character > 126 || character < ' ') return "byte " + std::to_string(character);
    return std::string("\"") + static_cast<char>(character) + '"';
}

// Reads exactly this text: an extra space or a missing end of line is a mistake too.
void literal(const std::string& text) {
    for (char expected : text) {
        const int found = std::cin.get();
        if (found != expected) reject("expected " + shown(expected) + ", found " + shown(found));
        if (found == '\n') line++;
    }
}

// Reads an integer from low to high, without leading zeros, and with no sign except -.
long long integer(const std::string& name, long long low, long long high) {
    std::string word;
    while (std::isdigit(std::cin.peek()) || std::cin.peek() == '-') word += static_cast<char>(std::cin.get());
    long long value = 0;
    try {
        value = std::stoll(word);
    } catch (const std::logic_error&) {
        reject(name + (word.empty() ? " is missing" : " is no integer, or a very large one: " + word));
    }
    if (std::to_string(value) != word) reject(name + " is not written as an integer is: " + word);
    if (value < low || value > high) reject(name + " is out of range: " + word);
    return value;
}

int main() {
    const long long n = integer("n", 1, 100);
    literal("\n");
    for (int i = 0; i < n; i++) {
        if (i > 0) literal(" ");
        integer("a", -1'000'000'000, 1'000'000'000);
    }
    literal("\n");
    if (std::cin.get() != EOF) reject("there is more behind the end");
    return 42;
}
