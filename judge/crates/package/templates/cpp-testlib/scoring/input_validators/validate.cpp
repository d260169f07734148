// Accepts only inputs that follow the statement.
//
// usage: validate [--most N]
//
// N is the maximum number of numbers: test groups can set a smaller one (`input_validator_args`).

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
