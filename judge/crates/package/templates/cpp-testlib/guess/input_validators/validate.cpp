// Accepts what is to be guessed, and nothing else.

#include "testlib.h"

int main(int argc, char** argv) {
    registerValidation(argc, argv);
    inf.readInt(1, 1'000, "x");
    inf.readEoln();
    inf.readEof();
}
