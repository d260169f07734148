// Accepts only a number that can be guessed.

#include "testlib.h"

int main(int argc, char** argv) {
    registerValidation(argc, argv);
    inf.readInt(1, 1'000, "x");
    inf.readEoln();
    inf.readEof();
}
