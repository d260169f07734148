#include "outcomes.h"

int main(int argc, char **argv) {
    (void)argc;
    FILE *message = fopen("judgemessage.txt", "w");
    for (int i = 1; i < 3; i++) {
        int fd = open(argv[i], O_RDONLY);
        fprintf(message, "%s %s", fd < 0 ? "missing" : "there", open(argv[i], O_WRONLY) < 0 ? "read-only" : "SUCCEEDED");
        fprintf(message, " %s", chmod(argv[i], 0777) < 0 ? "kept" : "SUCCEEDED");
        fprintf(message, " %s\n", unlink(argv[i]) < 0 ? "kept" : "SUCCEEDED");
    }
    return 42;
}
