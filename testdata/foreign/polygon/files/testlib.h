// The exit codes of testlib.h as its author publishes it, and the names of the functions that programs begin with: what
// the judge recognises it by. Written for tests of the judge; nothing of the library itself is in it.
#pragma once
#define OK_EXIT_CODE 0
#define WA_EXIT_CODE 1
#define FAIL_EXIT_CODE 3

inline void registerValidation(int, char **) {}
inline void registerTestlibCmd(int, char **) {}
inline void registerGen(int, char **, int) {}
