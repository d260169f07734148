// Replies to guesses and judges them: `ouf` is what the submission writes, and std::cout what it reads.

#include "testlib.h"

#include <csignal>

const int GUESSES = 10;

int main(int argc, char** argv) {
    // A submission that has exited no longer reads; its earlier output decides.
    std::signal(SIGPIPE, SIG_IGN);
    registerInteraction(argc, argv);
    const int secret = inf.readInt();
    for (int guesses = 1; guesses <= GUESSES; guesses++) {
        const int guess = ouf.readInt(1, 1'000, "the guess");
        if (guess == secret) {
            std::cout << "correct" << std::endl;
            if (!ouf.seekEof()) quitf(_wa, "it continued after the correct guess");
            quitf(_ok, "found with %d guesses", guesses);
        }
        // std::endl flushes: otherwise the submission would wait forever.
        std::cout << (guess < secret ? "higher" : "lower") << std::endl;
    }
    quitf(_wa, "not found with %d guesses", GUESSES);
}
