// Replies to guesses and judges them: it communicates with the submission over standard input and output.
//
// usage: validate INPUT ANSWER FEEDBACK_DIRECTORY
//
// Exit code 42 accepts, 43 rejects; any other means that this program failed.

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

const int GUESSES = 10;

std::ofstream message;

[[noreturn]] void finish(int exit_code, const std::string& why) {
    message << why << std::endl;
    std::exit(exit_code);
}

// Reads a guess as strictly as the statement requires.
int read_guess() {
    std::string word;
    if (!(std::cin >> word)) finish(43, "no more guesses");
    const bool digits = word.size() <= 4 && word.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || word[0] == '0' || std::stoi(word) > 1'000) finish(43, "no guess from 1 to 1000: " + word.substr(0, 20));
    return std::stoi(word);
}

int main(int, char** argv) {
    // A submission that has exited no longer reads; its earlier output decides.
    std::signal(SIGPIPE, SIG_IGN);
    message.open(std::string(argv[3]) + "/judgemessage.txt");
    int secret = 0;
    std::ifstream(argv[1]) >> secret;

    for (int guesses = 1; guesses <= GUESSES; guesses++) {
        const int guess = read_guess();
        if (guess == secret) {
            std::cout << "correct" << std::endl;
            std::string more;
            if (std::cin >> more) finish(43, "it continued after the correct guess");
            finish(42, "found with " + std::to_string(guesses) + " guesses");
        }
        // std::endl flushes: otherwise the submission would wait forever.
        std::cout << (guess < secret ? "higher" : "lower") << std::endl;
    }
    finish(43, "not found with " + std::to_string(GUESSES) + " guesses");
}
