// Accepts only inputs that follow the statement.

#include "testlib.h"

int main(int argc, char** argv) {
    registerValidation(argc, argv);
    const int n = inf.readInt(1, 100, "n");
    inf.readEoln();
    inf.readInts(n, -1'000'000'000, 1'000'000'000, "a");
    inf.readEoln();
    inf.readEof();
}
