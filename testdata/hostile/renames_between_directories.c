#include "outcomes.h"

int main(void) {
    char elsewhere[PATH_MAX];
    snprintf(elsewhere, sizeof elsewhere, "%s/file", temporary());
    mkdir("one", 0700);
    mkdir("two", 0700);
    close(open("one/file", O_WRONLY | O_CREAT, 0600));
    print_outcome("rename", rename("one/file", "two/file"));
    print_outcome("link", link("two/file", elsewhere));
    print_outcome("rename a directory", rename("two", "one/two"));
}
