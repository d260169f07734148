// Accepts every choice with the largest sum, not only that of the answer.
//
// usage: validate INPUT ANSWER FEEDBACK_DIRECTORY < output
//
// Exit code 42 accepts, 43 rejects; any other means that this program failed.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

std::string feedback;

[[noreturn]] void reject(const std::string& why) {
    std::ofstream(feedback + "/judgemessage.txt") << why << '\n';
    std::exit(43);
}

// Reads an integer from low to high, without leading zeros, and with no sign except -.
long long integer(const std::string& name, long long low, long long high) {
    std::string word;
    if (!(std::cin >> word)) reject(name + " is missing");
    long long value = 0;
    try {
        value = std::stoll(word);
    } catch (const std::logic_error&) {
        reject(name + " is no integer, or a very large one: " + word.substr(0, 20));
    }
    if (std::to_string(value) != word) reject(name + " is not written as an integer is: " + word.substr(0, 20));
    if (value < low || value > high) reject(name + " is out of range: " + word);
    return value;
}

int main(int, char** argv) {
    feedback = argv[3];
    std::ifstream input(argv[1]);
    int n = 0;
    input >> n;
    std::vector<long long> numbers(n);
    for (long long& number : numbers) input >> number;
    long long largest = 0;
    if (!input || !(std::ifstream(argv[2]) >> largest)) return 1;

    // No sum of 100 numbers is larger.
    const long long limit = 100'000'000'000;
    const long long claimed = integer("the sum", -limit, limit);
    const long long first = integer("the first position", 1, n);
    const long long last = integer("the last position", first, n);
    std::string more;
    if (std::cin >> more) reject("there is more behind the positions");

    long long sum = 0;
    for (long long position = first; position <= last; position++) sum += numbers[position - 1];
    if (claimed != sum) reject("the chosen numbers have the sum " + std::to_string(sum) + ", not " + std::to_string(claimed));
    if (sum > largest) {
        std::cerr << "the submission found the sum " << sum << ", and the answer only " << largest << '\n';
        return 1;
    }
    if (sum < largest) reject("the sum " + std::to_string(sum) + " is not the largest, which is " + std::to_string(largest));
    return 42;
}
