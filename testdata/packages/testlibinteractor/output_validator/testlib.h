// A stand-in for the real library: its exit codes, the arguments of a checker and an interactor, and the report as XML.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CONTESTER
#define OK_EXIT_CODE 0xAC
#else
#define OK_EXIT_CODE 0
#endif
#define WA_EXIT_CODE 1
#define FAIL_EXIT_CODE 3
#define POINTS_EXIT_CODE 7

static FILE *inf, *ouf, *ans, *tout;
static const char *report_path;

// Ends with a report of this outcome; `more` are further attributes.
static void quit_with(int code, const char *outcome, const char *more, const char *message) {
  if (!report_path) {
    fprintf(stderr, "%s %s\n", outcome, message);
    exit(code);
  }
  FILE *report = fopen(report_path, "w");
  if (!report) exit(FAIL_EXIT_CODE);
  fprintf(report, "<?xml version=\"1.0\" encoding=\"windows-1251\"?>");
  fprintf(report, "<result outcome = \"%s\"%s>", outcome, more);
  for (const char *c = message; *c; c++) {
    if (*c == '<') fputs("&lt;", report);
    else if (*c == '&') fputs("&amp;", report);
    else fputc(*c, report);
  }
  fprintf(report, "</result>\n");
  fclose(report);
  fprintf(stderr, "See file to check exit message\n");
  exit(code);
}

static void quit(int code, const char *message) {
  const char *outcome = code == OK_EXIT_CODE ? "accepted" : code == WA_EXIT_CODE ? "wrong-answer" : "fail";
  quit_with(code, outcome, "", message);
}

static void quit_points(double points, const char *message) {
  char more[64];
  snprintf(more, sizeof more, " points = \"%.10f\"", points);
  quit_with(POINTS_EXIT_CODE, "points", more, message);
}

static void take_report(int argc, char **argv) {
  if (argc == 6 && strcmp(argv[5], "-appes")) quit(FAIL_EXIT_CODE, "expected -appes");
  if (argc != 6) quit(FAIL_EXIT_CODE, "expected three files, a report and -appes");
  report_path = argv[4];
}

static void register_checker(int argc, char **argv) {
  take_report(argc, argv);
  inf = fopen(argv[1], "r");
  ouf = fopen(argv[2], "r");
  ans = fopen(argv[3], "r");
  if (!inf || !ouf || !ans) quit(FAIL_EXIT_CODE, "a file is missing");
}

static void register_interactor(int argc, char **argv) {
  take_report(argc, argv);
  inf = fopen(argv[1], "r");
  tout = fopen(argv[2], "w");
  ans = fopen(argv[3], "r");
  ouf = stdin;
  if (!inf || !tout || !ans) quit(FAIL_EXIT_CODE, "a file is missing");
}
