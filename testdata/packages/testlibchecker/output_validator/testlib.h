// Stands for the real library: its exit codes, and a checker's three files.
#include <stdio.h>
#include <stdlib.h>

#ifdef CONTESTER
#define OK_EXIT_CODE 0xAC
#else
#define OK_EXIT_CODE 0
#endif
#define WA_EXIT_CODE 1
#define FAIL_EXIT_CODE 3

static FILE *inf, *ouf, *ans;

static void quit(int code, const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(code);
}

static void register_checker(int argc, char **argv) {
  if (argc != 4) quit(FAIL_EXIT_CODE, "FAIL expected three files");
  inf = fopen(argv[1], "r");
  ouf = fopen(argv[2], "r");
  ans = fopen(argv[3], "r");
  if (!inf || !ouf || !ans) quit(FAIL_EXIT_CODE, "FAIL a file is missing");
}
