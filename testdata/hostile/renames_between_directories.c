#include "told.h"

int main(void) {
    char elsewhere[PATH_MAX];
    snprintf(elsewhere, sizeof elsewhere, "%s/file", temporary());
    mkdir("one", 0700);
    mkdir("two", 0700);
    close(open("one/file", O_WRONLY | O_CREAT, 0600));
    told("rename", rename("one/file", "two/file"));
    told("link", link("two/file", elsewhere));
    told("rename a directory", rename("two", "one/two"));
}
