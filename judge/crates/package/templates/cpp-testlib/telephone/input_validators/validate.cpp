// Accepts only inputs of the first run.

#include "testlib.h"

int main(int argc, char** argv) {
    registerValidation(argc, argv);
    inf.readToken("send", "task");
    inf.readEoln();
    inf.readInt(1, 1'000'000, "x");
    inf.readEoln();
    inf.readEof();
}
