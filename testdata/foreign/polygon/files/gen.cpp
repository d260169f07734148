// Two numbers up to the first argument; the second is a seed.
#include "testlib.h"
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
    registerGen(argc, argv, 1);
    long long most = atoll(argv[1]), seed = atoll(argv[2]);
    printf("%lld %lld\n", most, most - seed);
}
