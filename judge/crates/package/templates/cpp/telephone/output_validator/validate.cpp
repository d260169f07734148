// Carries the word from the first run to the second, and judges the number.
//
// usage: validate INPUT ANSWER FEEDBACK_DIRECTORY < output
//
// Exit code 42 accepts, 43 rejects; any other means that this program failed. A file `nextpass.in` in the feedback
// directory requests another run with that input.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

std::string feedback;

[[noreturn]] void reject(const std::string& why) {
    std::ofstream(feedback + "/judgemessage.txt") << why << '\n';
    std::exit(43);
}

int main(int, char** argv) {
    feedback = argv[3];
    // The input and the output are those of the last run.
    std::ifstream input(argv[1]);
    std::string task, word, more;
    input >> task;
    if (!(std::cin >> word)) reject("the output is empty");
    if (std::cin >> more) reject("the output is more than one word");

    // Files that one run leaves in the feedback directory exist in the next.
    const std::string sent_file = feedback + "/sent";
    if (task == "send") {
        long long sent = 0;
        input >> sent;
        const bool letters = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
        if (!letters || word.size() > 5) reject("no word of 1 to 5 lower-case letters");
        std::ofstream(sent_file) << sent << '\n';
        std::ofstream(feedback + "/nextpass.in") << "receive\n" << word << '\n';
    } else {
        std::string sent;
        std::ifstream(sent_file) >> sent;
        if (word != sent) reject(word.substr(0, 20) + " arrived instead of " + sent);
    }
    return 42;
}
