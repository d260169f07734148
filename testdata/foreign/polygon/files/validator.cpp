// A line with two integers, in group 1 of at most 10. Strict about the end of the line.
#include "testlib.h"
#include <cstdio>
#include <cstring>

// Stands for `validator.group()`.
static const char *group(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i++) {
        if (!strcmp(argv[i], "--group")) return argv[i + 1];
    }
    return "";
}

int main(int argc, char **argv) {
    registerValidation(argc, argv);
    long long a, b;
    char end;
    if (scanf("%lld %lld%c", &a, &b, &end) != 3 || end != '\n' || getchar() != EOF) return FAIL_EXIT_CODE;
    long long most = !strcmp(group(argc, argv), "1") ? 10 : 4000000000;
    return a >= 0 && b >= 0 && a <= most && b <= most ? OK_EXIT_CODE : FAIL_EXIT_CODE;
}
