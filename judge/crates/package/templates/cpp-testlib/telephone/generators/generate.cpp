// Generates an input of the first run.
//
// usage: generate --low L --high H SEED
//
// All arguments together are the seed of `rnd`; the last one has no other purpose.

#include "testlib.h"

int main(int argc, char** argv) {
    registerGen(argc, argv, 1);
    println("send");
    println(rnd.next(opt<int>("low"), opt<int>("high")));
}
