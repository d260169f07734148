// Accepts what the statement promises, and nothing else.
//
// usage: validate [--most N]
//
// N is how many numbers there may be: test groups can ask for fewer (`input_validator_args`).

#include "testlib.h"

int main(int argc, char** argv) {
    registerValidation(argc, argv);
    prepareOpts(argc, argv);
    const int n = inf.readInt(1, opt<int>("most", 100), "n");
    inf.readEoln();
    inf.readInts(n, -1'000'000'000, 1'000'000'000, "a");
    inf.readEoln();
    inf.readEof();
}
