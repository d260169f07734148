// Adapts a testlib program to the protocol of validators in problem packages: `validator INPUT
// ANSWER FEEDBACK_DIR < OUTPUT`; exit code 42 accepts and 43 rejects. It is compiled together with
// the program.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>

#define OK_EXIT_CODE 42
#define WA_EXIT_CODE 43

namespace {

// An input validator (0), a checker (1) or an interactor (2).
const int KIND = @KIND@;

char OUTPUT[] = "/dev/stdin", NOWHERE[] = "/dev/null";

// Runs last, since the program's own exit handlers may still reject.
void translate(int status, void *) {
    std::cout.flush();
    std::fflush(nullptr);
    bool rejects = KIND == 0 || status == 1 || status == 2 || status == 4 || status == 8;
    _exit(status == 0 ? OK_EXIT_CODE : rejects ? WA_EXIT_CODE : status);
}

// Runs before all other constructors, so that `translate` runs after all other exit handlers.
__attribute__((constructor(101))) void begin(int count, char **arguments) {
    if (KIND != 0 && count > 4) {
        // testlib would treat arguments of the package as names of files, so the program is started
        // again without them.
        char *fewer[] = {arguments[0], arguments[1], arguments[2], arguments[3], nullptr};
        execv(arguments[0], fewer);
        std::perror(arguments[0]);
        _exit(3);
    }
    on_exit(translate, nullptr);
    if (KIND == 0 || count < 4) return;
    std::string message = std::string(arguments[3]) + "/judgemessage.txt";
    int file = open(message.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (file >= 0) {
        dup2(file, STDERR_FILENO);
        close(file);
    }
    // testlib expects the output before the answer. An interactor writes its output itself.
    arguments[3] = arguments[2];
    arguments[2] = KIND == 1 ? OUTPUT : NOWHERE;
}

}  // namespace

// testlib opens the output by its name, but `/dev/stdin` does not exist in sandboxes without
// `/proc`.
extern "C" FILE *fopen(const char *name, const char *mode) {
    if (std::string(name) == OUTPUT) return stdin;
    int flags = mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC);
    int file = open(name, flags | O_CLOEXEC, 0644);
    return file < 0 ? nullptr : fdopen(file, mode);
}
